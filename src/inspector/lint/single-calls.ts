import type { z } from "zod";
import { own } from "../../engine/core/maps.ts";
import type { Operation } from "../../engine/core/operation.ts";
import { definitionOf, innermost } from "../../engine/core/schema-parts.ts";
import { decodeAddress } from "../../engine/core/text.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { findOperation } from "../../engine/runtime/find-operation.ts";
import { type Tenant, checks, service } from "../../service/service.ts";
import type { FindingKind } from "./finding.ts";
import { doubtfulValues } from "./doubtful-values.ts";
import type { Found } from "./found.ts";
import { idleMembers } from "./idle-members.ts";
import { unknownMembers } from "./unknown-members.ts";

const ADDRESS_MAX = 320;

export function singleCall(entry: JournalEntry, tenant: Tenant): Found[] {
  return [
    ...unknownMembers(entry),
    ...missingBody(entry),
    ...remarksOf(entry),
    ...doubtfulValues(entry),
    ...idleMembers(entry),
    ...deprecated(entry),
    ...keyInUrl(entry),
    ...ignoredMagic(entry),
    ...sentBeforeDraft(entry),
    ...mcpCredentials(entry, tenant),
  ];
}

/** assumed: http.empty_body. */
function missingBody({ operationId, body, own }: JournalEntry): Found[] {
  const operation = operationId === undefined || body !== "" ? undefined : findOperation(service, operationId);
  if (!operation?.body || operation.bodyOptional || operation.bodyKind === "text" || own === undefined || own >= 400) return [];
  return [{ kind: "missing_body", message: `${operationId} has no body, so it changes nothing or takes defaults` }];
}

function remarksOf({ remarks, own }: JournalEntry): Found[] {
  if (!remarks || own === undefined || own >= 400) return [];
  return remarks.map((one) => ({ ...one, kind: one.kind as FindingKind }));
}

function deprecated({ operationId, query }: JournalEntry): Found[] {
  const operation = operationId === undefined ? undefined : findOperation(service, operationId);
  if (!operation) return [];
  const { id, deprecated: better } = operation;
  const found: Found[] = Object.keys(query)
    .filter((name) => isDeprecated(operation, name))
    .map((name) => ({
      kind: "deprecated_parameter",
      message: `the parameter ${name} of ${id} is deprecated`,
      fix: `Remove ${name}.`,
    }));
  if (better !== undefined)
    found.push({ kind: "deprecated_parameter", message: `${id} is deprecated; use ${better}`, fix: `Call ${better}.` });
  return found;
}

function isDeprecated({ query }: Pick<Operation, "query">, name: string): boolean {
  const shape = query && (definitionOf(innermost(query()))?.shape as Record<string, z.ZodType> | undefined);
  return (shape && own(shape, name))?.meta()?.deprecated === true;
}

function keyInUrl(entry: JournalEntry): Found[] {
  const key = entry.caller?.key;
  if (!key || !decodeAddress(entry.url).includes(key)) return [];
  return [{ kind: "key_in_url", message: `${entry.operationId} was called with the key in its URL, where logs keep it` }];
}

function ignoredMagic(entry: JournalEntry): Found[] {
  if (!entry.body.includes(".after=")) return [];
  const addresses = entry.body.split('"').filter((text) => text.length <= ADDRESS_MAX && text.includes(".after="));
  return [...new Set(addresses)].flatMap((address) => {
    const problem = checks.addressProblem(address);
    return problem === undefined ? [] : [{ kind: "magic_address_ignored", message: `${address} has no effect: ${problem}` }];
  });
}

/** assumed: mcp.credentials. */
function mcpCredentials({ caller, tool }: JournalEntry, { store }: Tenant): Found[] {
  if (!caller) return [];
  const isKey = caller.kind === "api_key";
  const token = isKey ? undefined : store.tokens.get(caller.key);
  // A token that is gone from the store says nothing.
  if (!isKey && !token) return [];
  const isOfMcp = token?.mcp === true;
  if (isOfMcp === (tool !== undefined)) return [];
  const message =
    tool === undefined
      ? "the public API was called with a token of the MCP server, which the service may refuse"
      : `the MCP server was called with ${isKey ? "an API key, which the real one refuses" : "a token of the public API, which the real one may refuse"}`;
  const fix = tool === undefined ? "Use an API key, or a token of the public API." : undefined;
  return [{ kind: "mcp_credentials", message, fix }];
}

function sentBeforeDraft(entry: JournalEntry): Found[] {
  if (
    entry.operationId !== "sendDocument" ||
    entry.status !== 409 ||
    entry.injected ||
    !entry.responseBody.includes('"document.uploaded"')
  )
    return [];
  return [{ kind: "sent_before_draft", message: "sendDocument was called before the document was a draft" }];
}
