import type { Handles, SandboxDocument } from "../../types.ts";
import { join, type Miss, misses, testOf } from "./compare.ts";
import { type Kind, requireConditions, requireWord, verdictOf } from "./verdict.ts";
import { requireSandbox } from "./subject.ts";
import type { ExpectedDocument, Times, Verdict } from "./types.ts";
import { words } from "../../../service/words.ts";

const CONDITIONS: Readonly<Record<Exclude<keyof ExpectedDocument, keyof Times>, Kind>> = {
  id: "a text",
  name: "a text",
  status: "a text",
  template: "a text",
  recipients: "a list",
  fields: "a map",
  metadata: "a map",
  tokens: "a map",
  tags: "a list",
};

export function hasDocument(sandbox: Handles, expected: ExpectedDocument = {}): Verdict {
  requireSandbox(sandbox);
  requireConditions(expected, CONDITIONS);
  const { times, atLeast, atMost, ...wanted } = expected;
  requireWord(wanted.status, words.statuses, "status");
  const all = sandbox.documents.all();
  const withId = wanted.id === undefined ? [] : all.filter((one) => misses("id", wanted.id, one.id).length === 0);
  return verdictOf<SandboxDocument>({
    limits: { times, atLeast, atMost },
    noun: ["document", "documents"],
    wanted: nameOf(wanted),
    candidates: withId.length > 0 ? withId : all,
    misses: (one) => missesOf(one, wanted),
    describe: ({ id, name, status }) => `${JSON.stringify(name)} (${status}, ${id})`,
    none: "the sandbox has no documents",
  });
}

function nameOf({ id, name, status }: ExpectedDocument): string {
  const words = [id, name === undefined ? undefined : JSON.stringify(name), status].filter((one) => typeof one === "string");
  return words.length === 0 ? "that fit" : words.join(", ");
}

function missesOf(document: SandboxDocument, wanted: ExpectedDocument): Miss[] {
  const { template, recipients, fields, metadata, tokens, tags } = wanted;
  const plain = (["id", "name", "status"] as const).flatMap((name) =>
    wanted[name] === undefined ? [] : misses(name, wanted[name], document[name]),
  );
  return [
    ...plain,
    ...(template === undefined ? [] : templateMisses(template, document.template)),
    ...among("recipients", recipients, document.recipients),
    ...byName("fields", fields, valuesOf(document)),
    ...byName("metadata", metadata, document.metadata),
    ...byName("tokens", tokens, Object.fromEntries(document.tokens.map(({ name, value }) => [name, value]))),
    ...among("tags", tags, document.tags),
  ];
}

function templateMisses(wanted: unknown, template: SandboxDocument["template"]): Miss[] {
  const byId = misses("template", wanted, template?.id);
  return byId.length === 0 ? [] : misses("template", wanted, template?.name);
}

function valuesOf({ fields }: SandboxDocument): Record<string, unknown> {
  const entries = fields.flatMap(({ name, field_id, value }) => [[field_id, value] as const, [name, value] as const]);
  return Object.fromEntries(entries.filter(([name]) => name !== ""));
}

function byName(path: string, wanted: unknown, actual: Record<string, unknown>): Miss[] {
  if (wanted === undefined) return [];
  if (testOf(wanted) || typeof wanted !== "object" || wanted === null) return misses(path, wanted, actual);
  return Object.entries(wanted).flatMap(([name, value]) => misses(join(path, name), value, actual[name]));
}

/** Each wanted member must be among the actual members. A miss names the nearest member. */
function among(path: string, wanted: unknown, actual: readonly unknown[]): Miss[] {
  if (wanted === undefined) return [];
  if (!Array.isArray(wanted)) return misses(path, wanted, actual);
  const free = new Set(actual);
  return wanted.flatMap((one, i) => {
    const judged = [...free].map((candidate) => ({ candidate, found: misses(`${path}[${i}]`, one, candidate) }));
    const best = judged.reduce<(typeof judged)[number] | undefined>(
      (near, next) => (near === undefined || next.found.length < near.found.length ? next : near),
      undefined,
    );
    if (!best) return [{ path: `${path}[${i}]`, expected: one, actual: undefined }];
    free.delete(best.candidate);
    return best.found;
  });
}
