/** Gathers every reason that docdouble gives for an answer (`x-docdouble-why`) from the sources. */
import { readFileSync } from "node:fs";
import { parseAst } from "vitest/node";
import { filesIn } from "./gather.ts";

export interface Reason {
  file: string;
  /** The text, with `…` for each variable part. */
  text: string;
}

/** Makers of refusals (core/errors.ts), and which of their arguments is the reason. */
const MAKERS: Readonly<Record<string, number>> = {
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
/** Its reasons are those of other services than PandaDoc. */
const OTHER = "src/engine/runtime/small-service.ts";
const FOLDERS = ["src/engine", "src/service", "src/inspector"];

/** A kind such as `session_expired`, which no reader sees. */
const CODE = /^[a-z_]+$/;

interface Node {
  type: string;
  [member: string]: unknown;
}

export function reasons(): Reason[] {
  const found = FOLDERS.flatMap((folder) => filesIn(folder, ".ts").filter((file) => file !== OTHER)).flatMap((file) =>
    reasonsIn(readFileSync(file, "utf8")).map((text) => ({ file, text })),
  );
  const texts = found.filter(({ text }) => !CODE.test(text));
  return [...new Map(texts.map((one) => [one.text, one])).values()].sort((a, b) => (a.text < b.text ? -1 : 1));
}

export function reasonsIn(source: string): string[] {
  const found: string[] = [];
  visit(parseAst(source, { lang: "ts" }) as unknown as Node, (node) => {
    const name = (one: unknown) => (one as { name?: string } | undefined)?.name;
    const at = node.type === "CallExpression" ? MAKERS[name(node.callee) ?? ""] : undefined;
    if (at !== undefined) found.push(...textsOf((node.arguments as Node[])[at]));
    else if (node.type === "Property" && name(node.key) === "why") found.push(...textsOf(node.value as Node));
    else if (node.type === "VariableDeclarator" && name(node.id) === "why") found.push(...textsOf(node.init as Node | null));
    // A table of reasons.
    else if (node.type === "VariableDeclarator" && /^WHY_/.test(name(node.id) ?? ""))
      for (const { value } of (node.init as { properties: { value: Node }[] } & Node).properties) found.push(...textsOf(value));
    else if (node.type === "AssignmentExpression" && name((node.left as Node).property) === "why")
      found.push(...textsOf(node.right as Node));
  });
  return found;
}

export function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, see);
  else if (node !== null && typeof node === "object") {
    if (typeof (node as Node).type === "string") see(node as Node);
    for (const member of Object.values(node)) if (typeof member === "object") visit(member, see);
  }
}

/** The texts that an expression can have. Empty for a variable, because `reasonsIn` finds the place that sets it. */
function textsOf(node: Node | null | undefined): string[] {
  if (node === null || node === undefined) return [];
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node.type === "TemplateLiteral")
    return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…")];
  if (node.type === "ConditionalExpression") return [...textsOf(node.consequent as Node), ...textsOf(node.alternate as Node)];
  if (node.type === "LogicalExpression") return [...textsOf(node.left as Node), ...textsOf(node.right as Node)];
  return [];
}
