/**
 * The record of one control verb, such as `clock.advance`. The admin API, its OpenAPI description and its page, the
 * tools of `mcp` and the commands derive from it. Methods of the library run it. `engine/verbs/define.ts` makes records.
 */
import type { z } from "zod";
import type { Binary, Operation, Schema } from "./operation.ts";

export const SURFACES = ["admin", "tool", "command"] as const;
export type Surface = (typeof SURFACES)[number];

/** Why a verb lacks surfaces. Every verb with an admin path is a command, `docdouble do VERB`, unless it gives a reason. */
export type Without = Readonly<Partial<Record<Surface, string>>>;

/**
 * A command of the pages that shows the admin path. Tests run it. `$name` is a shell variable with an id. A command that needs a row
 * of the service is in `inspector/reference/admin-examples.ts`.
 */
export interface Example {
  path?: string;
  body?: unknown;
  text?: string;
  /** The shell variable with the name of a file, which is the body. */
  file?: string;
  /** What this command gets, when it is a refusal. */
  status?: number;
}

export interface AdminSurface {
  readonly id: string;
  readonly route: string;
  /** Default 200, or 204 without an answer. */
  readonly status?: number;
  /** What it answers, as the wire shows it. */
  readonly answer: Schema | Binary | null;
  /** Statuses of refusals beside those that every admin operation may answer. */
  readonly errors?: readonly number[];
  /** The member of the input that is the whole body. Default: the body holds all members that are not in the path. */
  readonly body?: string;
  readonly bodyKind?: "text" | "bytes";
  readonly bytesMax?: number;
  readonly security?: "none";
  readonly limits?: string;
  readonly example?: Example;
  /** Other paths of the same verb. */
  readonly also?: readonly { readonly id: string; readonly route: string; readonly does: string; readonly example?: Example }[];
}

export interface ToolSurface {
  readonly name: string;
  /** Members of the input that the tool names differently: the name of the tool, and the member. */
  readonly names?: Readonly<Record<string, string>>;
  /** Members that agents do not need. */
  readonly hides?: readonly string[];
  /** The member whose own members the tool takes directly. */
  readonly spreads?: string;
  /** Whether it changes nothing. Default: whether the route is a GET. */
  readonly reads?: boolean;
}

export interface Verb<C = unknown> {
  readonly name: string;
  /** What it does, in sentences for pages, editors and agents. */
  readonly does: string;
  /** One object, without transformations: what every surface sends. */
  readonly input?: Schema<z.ZodObject>;
  readonly admin?: AdminSurface & { show?(result: unknown, control: C): unknown; headers?: Readonly<Record<string, string>> };
  readonly tool?: ToolSurface;
  readonly without?: Without;
  run(control: C, input: unknown): unknown;
}

/** An operation of the admin API, and the verb that it is a surface of. */
export interface AdminOperation<C = unknown> extends Operation<C> {
  readonly verb?: Verb<C>;
}
