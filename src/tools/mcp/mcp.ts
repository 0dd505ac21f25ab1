import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";
import { messageOf } from "../../engine/core/text.ts";
import { VERSION } from "../../library/version.ts";
import { ANSWER_MAX, bounded } from "./bounded.ts";
import { Session } from "./session.ts";
import { TOOLS } from "./tools.ts";
import type { Tool } from "./verb-tool.ts";
import type { RemoteFlags } from "../remote/server.ts";

const INSTRUCTIONS = `docdouble is a local test double for PandaDoc's public document API.
1. start (or attach) returns url and api_key. Point the client under test at them: header "Authorization: API-Key <api_key>".
2. Run the client. After a failure call explain; it names the reason and what the document's status allows.
3. simulate lets recipients act, advance_clock moves time, add_fault breaks coming calls. Run the client again.
4. Finish with lint and verify: the client is done when lint is clean and it survives the faults.`;

export interface McpFlags extends RemoteFlags {
  url?: string;
}

export async function mcp({ url, ...flags }: McpFlags): Promise<void> {
  const session = new Session(url, flags);
  const server = new McpServer(
    { name: "docdouble", version: VERSION },
    // docdouble asks the user nothing, so no answers need validation. The build leaves the SDK's validator out.
    { instructions: INSTRUCTIONS, jsonSchemaValidator: { getValidator: refuseToValidate } },
  );
  for (const tool of TOOLS) register(server, tool, session);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve);
    process.once("SIGINT", resolve).once("SIGTERM", resolve);
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  await session.close();
}

function refuseToValidate(): never {
  throw new Error("docdouble asks the user nothing");
}

function register(server: McpServer, { name, description, input, reads = false, run }: Tool, session: Session): void {
  // Dropping an unknown name would hide a mistake.
  const inputSchema = z.strictObject(input);
  server.registerTool(name, { description, inputSchema, annotations: { readOnlyHint: reads } }, async (args: unknown) => {
    try {
      const answer = bounded(await run(args as never, session));
      return { content: [{ type: "text", text: JSON.stringify(answer, null, 2) }], structuredContent: answer };
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: messageOf(error).slice(0, ANSWER_MAX) }] };
    }
  });
}
