/** Derives tools from the records of verbs. Each one is a call of the admin API. */
import type * as z from "zod";
import { requestOf } from "../../engine/verbs/define.ts";
import { adminOperations } from "../../library/surfaces.ts";
import type { Session } from "./session.ts";

export interface Tool {
  name: string;
  description: string;
  input: z.ZodRawShape;
  reads?: boolean;
  run(input: never, session: Session): Promise<object>;
}

/** What a tool changes before the call. */
interface Change {
  before?(input: Record<string, unknown>): Record<string, unknown>;
}

/** @param name the name of the verb, such as `clock.advance` */
export function verbTool(name: string, { before = (input) => input }: Change = {}): Tool {
  const operation = adminOperations.find(({ verb }) => verb?.name === name && verb.tool);
  const { verb } = operation ?? {};
  if (!operation || !verb?.tool) throw new Error(`the verb ${name} is not a tool`);
  const { tool, input, does } = verb;
  const members = Object.fromEntries(Object.entries(tool.names ?? {}).map(([shown, member]) => [member, shown]));
  const { [tool.spreads ?? ""]: spread, ...shape } = input?.().shape ?? {};
  const inner = spread ? (spread as z.ZodOptional<z.ZodObject>).unwrap().shape : {};
  const offered = Object.entries({ ...shape, ...inner }).filter(([member]) => !tool.hides?.includes(member));
  return {
    name: tool.name,
    description: does,
    input: Object.fromEntries(offered.map(([member, schema]) => [members[member] ?? member, schema])),
    reads: tool.reads ?? operation.route.startsWith("GET "),
    async run(given: Record<string, unknown>, session) {
      const renamed = Object.fromEntries(Object.entries(given).map(([shown, value]) => [tool.names?.[shown] ?? shown, value]));
      const { method, path, body } = requestOf(operation, before(nested(renamed, tool.spreads, shape)));
      return session.admin(method, path.replace(/^\/__admin/, ""), body);
    },
  };
}

/** Moves all other members into the member `spreads`. So unknown names travel too, and the server refuses them. */
function nested(given: Record<string, unknown>, spreads: string | undefined, shape: object): Record<string, unknown> {
  if (spreads === undefined) return given;
  const [own, held] = [true, false].map((isOwn) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(shape, name) === isOwn)),
  );
  return { ...own, [spreads]: held };
}
