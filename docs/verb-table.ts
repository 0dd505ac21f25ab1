/** Makes src/cli/verbs.json: what `docdouble do` knows of each control verb. It comes from the records, and starts without them. */
import { toJSONSchema } from "../src/engine/core/json-schemas.ts";
import { namesInPath } from "../src/engine/core/verb-request.ts";
import type { Verb } from "../src/engine/core/verb.ts";
import type { CommandVerb, Member } from "../src/cli/verbs.ts";
import { verbGroups } from "../src/library/surfaces.ts";

type Json = Record<string, unknown>;

/** Flags that `docdouble do` has for every verb. */
const TAKEN = ["url", "key", "adminToken", "json", "help"];

/** The reason of a verb against a command, or undefined. */
export function reasonAgainst(verb: Verb<never>, group: { readonly without: Verb["without"] }): string | undefined {
  return verb.without?.command ?? group.without?.command;
}

/** One line for each verb, so that changes of two verbs do not conflict. */
export function verbTableText(): string {
  const lines = Object.entries(verbTable()).map(([name, verb]) => `  ${JSON.stringify(name)}: ${JSON.stringify(verb)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

export function verbTable(): Record<string, CommandVerb> {
  const all = verbGroups.flatMap((group) => (group.verbs as readonly Verb<never>[]).map((verb) => ({ verb, group })));
  const commands = all.filter(({ verb, group }) => verb.admin && reasonAgainst(verb, group) === undefined);
  return Object.fromEntries(commands.map(({ verb }) => [verb.name, toCommand(verb)]));
}

/** @throws for a member that has the name of a flag of `docdouble do` */
function toCommand({ name, does, input, admin }: Verb<never>): CommandVerb {
  if (!admin) throw new Error(`${name} has no path in the admin API`);
  const { properties = {}, required = [] } = input
    ? (toJSONSchema(input(), { target: "draft-2020-12", io: "input", unrepresentable: "any" }) as Json)
    : {};
  const inPath = namesInPath(admin.route);
  const members = Object.entries(properties as Record<string, Json>).map(([member, schema]): Member => {
    if (TAKEN.includes(member)) throw new Error(`${name}: \`docdouble do\` has a flag --${member} already`);
    const choices = choicesOf(schema);
    return {
      name: member,
      takes: admin.body === member && admin.bodyKind !== undefined ? admin.bodyKind : kindOf(schema),
      ...((required as readonly string[]).includes(member) || inPath.includes(member) ? { required: true } : {}),
      ...(choices.length === 0 ? {} : { choices }),
      ...(schema.description === undefined ? {} : { is: schema.description as string }),
    };
  });
  return { does, route: admin.route, ...(admin.body === undefined ? {} : { whole: admin.body }), members };
}

/** The command passes `text` on unchanged, `json` is read as JSON, and `either` is read as JSON where it is JSON. */
function kindOf(schema: Json): Member["takes"] {
  const kinds = new Set(
    alternatives(schema).flatMap(({ type, enum: values = [] }) => type ?? (values as unknown[]).map((one) => typeof one)),
  );
  if (!kinds.has("string")) return "json";
  return kinds.size === 1 ? "text" : "either";
}

function choicesOf(schema: Json): string[] {
  const all = alternatives(schema);
  const values = all.flatMap((one) => (one.enum as unknown[] | undefined) ?? (one.const === undefined ? [] : [one.const]));
  const isClosed = all.every((one) => one.enum !== undefined || one.const !== undefined);
  return isClosed && values.every((one) => typeof one === "string") ? values : [];
}

function alternatives(schema: Json): Json[] {
  const inner = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  return inner ? inner.flatMap(alternatives) : [schema];
}
