/** What a tool of the vendor's MCP server is: a name with a closed input, and one call of one operation. */
import * as z from "zod";
import type { OperationId } from "../../nouns/index.ts";
import type { ToolName } from "../../kit/names.ts";

export interface OperationRequest {
  /** Values of the parameters in the path. */
  params?: Readonly<Record<string, string>>;
  /** Undefined values are left out. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** A JSON body. */
  body?: unknown;
  /** A multipart body. */
  form?: FormData;
}

export interface OperationAnswer {
  status: number;
  /** The parsed JSON. Undefined without a body. */
  body: unknown;
  /** Seconds of the header Retry-After. */
  retry_after?: number;
}

export interface ToolContext {
  /** The address where a person opens a document. */
  documentUrl(id: string): string;
  /** The tags of a document that an answer has shown. */
  tagsOf(id: string): readonly string[];
}

// Handlers read answers whose shape the caller has checked.
// biome-ignore lint/suspicious/noExplicitAny: the schema of the operation describes the body
type Checked = any;

export interface Tool {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly kind: "reads" | "writes" | "destroys";
  readonly input: z.ZodType;
  /** Most tools have one operation. The input of the others chooses it. */
  operation(input: Checked): OperationId;
  request(input: Checked, context: ToolContext): OperationRequest;
  /** @param body of a success, after its check */
  result(body: Checked, input: Checked, context: ToolContext): object;
  /** The result of an answer without the usual body, such as “not ready yet”. Undefined: the usual handling. */
  otherwise?(answer: OperationAnswer): object | undefined;
}

interface ToolRecord<Input extends z.ZodType> extends Omit<Tool, "operation" | "request" | "result"> {
  input: Input;
  operation: OperationId | ((input: z.output<Input>) => OperationId);
  request(input: z.output<Input>, context: ToolContext): OperationRequest;
  result(body: Checked, input: z.output<Input>, context: ToolContext): object;
}

export function tool<Input extends z.ZodType>({ operation, ...more }: ToolRecord<Input>): Tool {
  return { ...more, operation: typeof operation === "function" ? operation : () => operation };
}

/** A member that may be missing. Null counts as missing. assumed: mcp.null_members. */
export function optional<T extends z.ZodType>(schema: T, description: string) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .describe(description);
}

/** An id in a path. A dot segment would lead to another path. */
export function id(description: string) {
  return z
    .string()
    .min(1)
    .refine((text) => !/^\.{1,2}$/.test(text), { error: "is not an id" })
    .describe(description);
}

export const documentId = () => id("The id of the document.");

export const recipientId = () => id("The id of the recipient in this document, as the details show it.");
