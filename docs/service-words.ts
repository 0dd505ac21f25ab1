/**
 * Gathers the words of the service for `compare --record`: names of members, single words, and texts with `…` for each variable part. They
 * are the names and literals of the sources that make answers, so a cassette keeps nothing else of an account. Pages for signers, reasons,
 * descriptions and module names stand in no answer, so this list leaves them out.
 */
import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";
import { filesIn } from "./gather.ts";

const FOLDERS = ["src/service/api", "src/service/domain", "src/service/model", "src/engine/core", "src/engine/http"];
/** The texts of mails stand in no answer. */
const MAILS = /^src\/service\/domain\/(?:mails\/|\w+\/mails\.ts$)/;
/** What only docdouble answers: changes by rules and handlers, holds, and the authorization of agents. The real service says none of it. */
const OWN =
  /^src\/(?:engine\/core\/(?:json-patch|verb|verb-request|machine|zod-parts)|engine\/http\/(?:admin|ask-handlers|change-answer|cors|frozen-clock|hono-context|hold|network|serve|serve-app)|service\/domain\/(?:oauth\/mcp-\w+|pricing\/bill|document-model\/status-reason))\.ts$/;
/** A template with fewer letters matches any text. */
const LETTERS_MIN = 8;
/** Names in the code of docdouble have capitals inside. The schemas list the few names of the service that do. */
const MEMBER = /^(?:[a-z][a-z0-9]*(?:_{1,2}[a-z0-9]+)*|[A-Z][a-z]+|[A-Z]{2,})$/;
const WORD = /^(?:[a-z][\w.+/-]*|[A-Z][A-Z_]+|[A-Z][a-z]+)$/;

/** Functions whose texts stand in no answer, and members of records that stand in none. */
const SILENT_CALLS = /^(?:describe|decide|reading|assumed|remark|remarkIgnored|regex|RegExp|Error|TypeError|index|table)$/;
const SILENT_MEMBERS = /^(?:why|limits|summary|route|statement|place|fix|assumption)$/;
/** Which argument of a maker of refusals is the reason (`core/errors.ts`). */
const REASON_AT: Readonly<Record<string, number>> = {
  forbidden: 0,
  credentialsWrong: 0,
  notFound: 0,
  wrongStatus: 2,
  documentLocked: 1,
  tooManyRequests: 1,
  invalid: 1,
  malformed: 1,
  oauthError: 1,
};

interface Node {
  type: string;
  [member: string]: unknown;
}

interface Found {
  members: Set<string>;
  words: Set<string>;
  texts: Set<string>;
}

export function serviceWords(): string {
  const found: Found = { members: new Set(), words: new Set(), texts: new Set() };
  const files = FOLDERS.flatMap((folder) => filesIn(folder, ".ts")).filter((file) => !MAILS.test(file) && !OWN.test(file));
  for (const file of files) gather(parseAst(readFileSync(file, "utf8"), { lang: "ts" }), found);
  const { members, words, texts } = found;
  const sorted = (all: Set<string>) => [...all].sort();
  const hasLetters = (text: string) => text.replace(/\P{L}/gu, "").length >= LETTERS_MIN;
  return `${JSON.stringify(
    {
      members: sorted(members).filter((one) => MEMBER.test(one)),
      words: sorted(words).filter((one) => one.length >= 2 && one.length <= 60 && WORD.test(one)),
      texts: sorted(texts).filter(hasLetters),
    },
    null,
    1,
  )}\n`;
}

function gather(node: unknown, found: Found): void {
  if (Array.isArray(node)) for (const one of node) gather(one, found);
  if (Array.isArray(node) || node === null || typeof node !== "object" || isSilent(node as Node)) return;
  const { type } = node as Node;
  if (typeof type === "string") see(node as Node, found);
  const reason = type === "CallExpression" ? REASON_AT[nameOf((node as Node).callee)] : undefined;
  for (const [name, member] of Object.entries(node))
    gather(name === "arguments" && reason !== undefined ? (member as unknown[]).filter((_, i) => i !== reason) : member, found);
}

function see(node: Node, { members, words, texts }: Found): void {
  const key = node.key as { name?: string; value?: unknown } | undefined;
  if (node.type === "Property" && node.computed !== true && key) members.add(key.name ?? String(key.value));
  if (node.type === "Literal" && typeof node.value === "string")
    (node.value.trim().includes(" ") ? texts : words).add(node.value);
  if (node.type === "TemplateLiteral")
    texts.add((node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…"));
}

function isSilent(node: Node): boolean {
  if (/^(?:Import|ExportAll|TS)/.test(node.type)) return true;
  if (node.type === "ExportNamedDeclaration") return node.source !== null;
  if (node.type === "CallExpression" || node.type === "NewExpression") return SILENT_CALLS.test(nameOf(node.callee));
  if (node.type === "AssignmentPattern") return nameOf(node.left) === "why";
  if (node.type === "VariableDeclarator") return /^(?:why$|WHY_)/.test(nameOf(node.id));
  return node.type === "Property" && SILENT_MEMBERS.test(nameOf(node.key)) && (node.value as Node).type !== "CallExpression";
}

function nameOf(node: unknown): string {
  const { name, property } = node as { name?: string; property?: { name?: string } };
  return name ?? property?.name ?? "";
}
