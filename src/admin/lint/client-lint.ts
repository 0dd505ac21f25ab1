/** Client lint: calls and webhook answers that would cause trouble with the real service. Computed from the journal on request. */
import type { z } from "zod";
import { findOperation } from "../../api/index.ts";
import { parseRoute } from "../../core/operation.ts";
import { parseLeniently } from "../../core/text.ts";
import type { JournalEntry } from "../../engine/journal.ts";
import { duplicateCreates } from "./duplicate-creates.ts";
import { addressProblem } from "../../scenario/test-values.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { LintFinding } from "./finding.ts";

/** Ms between two status reads of a document that count as too eager. assumed: lint.poll_interval. */
const POLL_MS_MIN = 500;
const ADDRESS_MAX = 320;
/** Reads of a document at one instant of a frozen clock that count as an endless loop. */
const POLLS_STANDING_MAX = 20;

const DEPRECATED: Readonly<Record<string, readonly string[]>> = {
  createDocument: ["editor_ver"],
  createDocumentFromUpload: ["editor_ver"],
};
const DEPRECATED_OPERATIONS: Readonly<Record<string, string>> = { listLogs: "listLogsV2", detailsLog: "detailsLogV2" };

export function lintClient(tenant: Tenant): LintFinding[] {
  const entries = tenant.journal.all();
  return [
    ...entries.flatMap(unknownFieldsOnce),
    ...entries.flatMap(deprecated),
    ...entries.flatMap(keyInUrl),
    ...entries.flatMap(ignoredMagic),
    ...entries.flatMap(sentBeforeDraft),
    ...fastPolls(entries),
    ...ignoredRetryAfter(entries),
    ...duplicateCreates(tenant, entries),
    ...receiverFaults(tenant),
  ];
}

/** Findings by entry. Entries never change, so each body is parsed once for all readings of the lint. */
const unknownFieldsOf = new WeakMap<JournalEntry, LintFinding[]>();

function unknownFieldsOnce(entry: JournalEntry): LintFinding[] {
  let findings = unknownFieldsOf.get(entry);
  if (!findings) {
    findings = unknownFields(entry);
    unknownFieldsOf.set(entry, findings.length === 0 ? NO_FINDINGS : findings);
  }
  return findings;
}

const NO_FINDINGS: LintFinding[] = [];

function unknownFields(entry: JournalEntry): LintFinding[] {
  const operation = entry.operationId === undefined ? undefined : findOperation(entry.operationId);
  if (!operation) return [];
  const found: string[] = [];
  if (operation.body && (operation.bodyKind ?? "json") === "json") {
    // The journal shows that a body without JSON was refused.
    const paths = unknownKeys(operation.body(), parseLeniently(entry.body));
    found.push(...paths.map((path) => `body member ${path}`));
  }
  const known = operation.query
    ? Object.keys((definitionOf(innermost(operation.query()))?.shape as object | undefined) ?? {})
    : [];
  const { variant } = parseRoute(operation.route);
  for (const name of Object.keys(entry.query)) {
    if (!known.includes(name) && name !== variant && !(entry.operationId === "listDocuments" && name.startsWith("metadata_")))
      found.push(`query parameter ${name}`);
  }
  return found.map((what) => ({
    kind: "unknown_field" as const,
    message: `${entry.operationId} knows no ${what}; it was passed over`,
    entries: [entry.id],
  }));
}

type Definition = { type: string; [part: string]: unknown };

function definitionOf(schema: z.ZodType): Definition | undefined {
  return schema._zod?.def as Definition | undefined;
}

/** The schema inside optional, nullable, default and transform wrappers. */
function innermost(schema: z.ZodType): z.ZodType {
  const definition = definitionOf(schema);
  const inner = (definition?.innerType ??
    (definition?.type === "pipe"
      ? definitionOf(definition.in as z.ZodType)?.type === "transform"
        ? definition.out
        : definition.in
      : undefined)) as z.ZodType | undefined;
  return inner ? innermost(inner) : schema;
}

export function unknownKeys(schema: z.ZodType, value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = innermost(schema);
  const definition = definitionOf(inner);
  if (!definition) return [];
  if (Array.isArray(value)) {
    return definition.type === "array"
      ? value.flatMap((one, i) => unknownKeys(definition.element as z.ZodType, one, `${path}[${i}]`))
      : [];
  }
  if (definition.type === "record") {
    return Object.entries(value).flatMap(([key, one]) =>
      unknownKeys(definition.valueType as z.ZodType, one, path ? `${path}.${key}` : key),
    );
  }
  if (definition.type === "union") {
    const each = (definition.options as z.ZodType[]).map((option) => unknownKeys(option, value, path));
    return each.sort((a, b) => a.length - b.length)[0] ?? [];
  }
  if (definition.type !== "object") return [];
  const shape = definition.shape as Record<string, z.ZodType>;
  const isOpen = definition.catchall !== undefined && definitionOf(definition.catchall as z.ZodType)?.type !== "never";
  return Object.entries(value).flatMap(([key, one]) => {
    const at = path ? `${path}.${key}` : key;
    const member = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (member) return unknownKeys(member, one, at);
    return isOpen ? [] : [at];
  });
}

function deprecated(entry: JournalEntry): LintFinding[] {
  const id = entry.operationId ?? "";
  const better = DEPRECATED_OPERATIONS[id];
  return [
    ...(better ? [`${id} is deprecated; use ${better}`] : []),
    ...(DEPRECATED[id] ?? []).filter((name) => entry.query[name]).map((name) => `the parameter ${name} of ${id} is deprecated`),
  ].map((message) => ({ kind: "deprecated_parameter", message, entries: [entry.id] }));
}

function keyInUrl(entry: JournalEntry): LintFinding[] {
  const key = entry.caller?.key;
  if (!key || !decodeURIComponent(entry.url.replace(/%(?![0-9a-f]{2})/gi, "%25")).includes(key)) return [];
  return [
    {
      kind: "key_in_url",
      message: `${entry.operationId} was called with the key in its URL, where logs keep it`,
      entries: [entry.id],
    },
  ];
}

/** An address with a malformed delay, whose recipient therefore never acts. */
function ignoredMagic(entry: JournalEntry): LintFinding[] {
  if (!entry.body.includes(".after=")) return [];
  const addresses = entry.body.split('"').filter((text) => text.length <= ADDRESS_MAX && text.includes(".after="));
  return [...new Set(addresses)].flatMap((address) => {
    const problem = addressProblem(address);
    if (problem === undefined) return [];
    return [{ kind: "magic_address_ignored" as const, message: `${address} asks for nothing: ${problem}`, entries: [entry.id] }];
  });
}

function sentBeforeDraft(entry: JournalEntry): LintFinding[] {
  if (
    entry.operationId !== "sendDocument" ||
    entry.status !== 409 ||
    entry.injected ||
    !entry.responseBody.includes('"document.uploaded"')
  )
    return [];
  return [
    {
      kind: "sent_before_draft",
      message: "sendDocument was called before the document was a draft; wait for document_state_changed or poll its status",
      entries: [entry.id],
    },
  ];
}

function grouped(entries: readonly JournalEntry[], wanted: (entry: JournalEntry) => boolean): JournalEntry[][] {
  const groups = new Map<string, JournalEntry[]>();
  for (const one of entries) {
    if (!wanted(one)) continue;
    const key = `${one.caller?.key} ${one.operationId} ${one.subject ?? ""}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

function fastPolls(entries: readonly JournalEntry[]): LintFinding[] {
  const polls = grouped(
    entries,
    (one) => one.operationId === "statusDocument" && one.status === 200 && one.responseBody.includes('"document.uploaded"'),
  );
  return polls.flatMap((group) => {
    const hasty = group.filter(
      (one, i) => i > 0 && one.at > (group[i - 1] as JournalEntry).at && one.at - (group[i - 1] as JournalEntry).at < POLL_MS_MIN,
    );
    const standing = group.filter((one, i) => i > 0 && one.at === (group[i - 1] as JournalEntry).at);
    const [many, how] =
      hasty.length >= 3
        ? [hasty, `less than ${POLL_MS_MIN} ms apart`]
        : standing.length > POLLS_STANDING_MAX
          ? [standing, "while the clock stood"]
          : [[], ""];
    if (many.length === 0) return [];
    return [
      {
        kind: "polling_too_fast" as const,
        message: `statusDocument was polled ${many.length} times ${how}; a sandbox key allows ten calls a minute`,
        entries: many.map((one) => one.id),
      },
    ];
  });
}

function ignoredRetryAfter(entries: readonly JournalEntry[]): LintFinding[] {
  return grouped(entries, (one) => one.operationId !== undefined && !one.page).flatMap((group) =>
    group.flatMap((one, i) => {
      const seconds = Number(one.responseHeaders["retry-after"]);
      const after = group[i + 1];
      // A client that lost the answer, or repeated before it arrived, could not know the delay.
      if (
        !(seconds > 0) ||
        one.spoilt !== undefined ||
        !after ||
        after.at < one.at + one.took_ms ||
        after.at >= one.at + seconds * 1000
      )
        return [];
      return [
        {
          kind: "retry_after_ignored" as const,
          message: `${one.operationId} was repeated ${after.at - one.at} ms after an answer that asked for ${seconds} s`,
          entries: [one.id, after.id],
        },
      ];
    }),
  );
}

function receiverFaults(tenant: Tenant): LintFinding[] {
  return tenant.store.deliveries.all().flatMap((row) =>
    row.attempts.flatMap((attempt): LintFinding[] => {
      if (attempt.signed !== "valid" && attempt.reason === null && attempt.status !== null && attempt.status < 400) {
        return [
          {
            kind: "forged_webhook_accepted",
            message: `${row.url} answered ${attempt.status} to a delivery whose signature was ${attempt.signed}`,
            entries: [row.id],
          },
        ];
      }
      if (attempt.error === "TIMEOUT_ERROR" && attempt.duration_ms > 0) {
        return [{ kind: "webhook_receiver_too_slow", message: `${row.url} did not answer in time`, entries: [row.id] }];
      }
      return [];
    }),
  );
}
