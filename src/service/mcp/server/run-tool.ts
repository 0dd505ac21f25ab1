import type { Context } from "hono";
import type * as z from "zod";
import { messageOf } from "../../../engine/core/text.ts";
import type { Tenant } from "../../kit/world.ts";
import { hostOf } from "../../pages/host.ts";
import { callOperation, UpstreamError } from "./call-operation.ts";
import { bodyProblem, failure, type Outcome, refusal, responseInvalid, success } from "./outcome.ts";
import type { ToolContext } from "./tool.ts";
import { findTool } from "./tools/index.ts";

interface ToolRun {
  outcome: Outcome;
  /** Notes about the operation's call. Empty when there was none. */
  notes: Record<string, string>;
}

const NAME_MAX = 200;
const FAULTS_MAX = 20;

export async function runTool(context: Context, tenant: Tenant, name: string, args: unknown): Promise<ToolRun> {
  const tool = findTool(name);
  if (!tool) {
    const message = `Unknown tool: '${name.slice(0, NAME_MAX)}'`;
    return { outcome: failure({ code: "unknown_tool", message }, message), notes: {} };
  }
  const checked = tool.input.safeParse(args ?? {});
  if (!checked.success) return { outcome: wrongInput(name, checked.error), notes: {} };
  const input = checked.data;
  const around = toolContext(context, tenant);
  const operation = tool.operation(input);
  try {
    const { notes, ...answer } = await callOperation(context, name, operation, tool.request(input, around));
    const other = tool.otherwise?.(answer);
    if (other) return { outcome: success(other), notes };
    if (answer.status >= 300) return { outcome: refusal(answer), notes };
    const problem = bodyProblem(operation, answer);
    if (problem !== undefined) return { outcome: responseInvalid(answer.status, problem), notes };
    return { outcome: success(tool.result(answer.body, input, around)), notes };
  } catch (error) {
    if (error instanceof UpstreamError)
      return { outcome: failure({ status: 502, code: "upstream_error", message: error.message }), notes: {} };
    hostOf(context).onBug(error);
    const message = `docdouble failed: ${messageOf(error)}. This is a bug in docdouble, not an answer of the service.`;
    return { outcome: failure({ code: "docdouble_error", message }), notes: {} };
  }
}

/** The API is not called. assumed: mcp.input_errors. */
function wrongInput(name: string, { issues }: z.ZodError): Outcome {
  const detail = issues.flatMap(faultsOf).slice(0, FAULTS_MAX);
  const lines = detail.map(({ loc, msg }) => `${loc.join(".") || "arguments"}: ${msg}`);
  const message = `${issues.length} validation error${issues.length === 1 ? "" : "s"} for ${name}: ${lines.join("; ")}`;
  return failure({ code: "validation_error", message, detail });
}

function faultsOf(issue: z.core.$ZodIssue): { loc: PropertyKey[]; msg: string }[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ loc: [...issue.path, key], msg: "Unexpected member. The schema does not have it." }));
  return [{ loc: issue.path, msg: issue.message }];
}

/** The address leads to the document in the inspector. */
function toolContext(context: Context, { id: tenant, settings, store }: Tenant): ToolContext {
  const isMain = tenant === hostOf(context).defaultTenant.id;
  const documentUrl = (id: string) => {
    const query = new URLSearchParams({ view: "documents", id, ...(isMain ? {} : { tenant }) });
    return `${settings.publicUrl}/__admin/?${query}`;
  };
  return { documentUrl, tagsOf: (id) => store.documents.get(id)?.tags ?? [] };
}
