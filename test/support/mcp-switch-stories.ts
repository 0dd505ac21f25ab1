/** Stories of the switches about the MCP server. */
import { createDraftTool, initialize, message } from "./mcp-messages.ts";
import type { Case } from "./switch-stories.ts";

export const MCP_CASES = {
  "mcp.answers": {
    async observe(world) {
      const response = await message(world, "tools/list");
      return response.headers.get("content-type");
    },
    expected: [
      ["json", "application/json"],
      ["stream", "text/event-stream"],
    ],
  },
  "mcp.sessions": {
    async observe(world) {
      const first = await initialize(world);
      const isGiven = first.headers.has("mcp-session-id");
      return [isGiven, (await message(world, "tools/list")).status];
    },
    expected: [
      ["none", [false, 200]],
      ["given", [true, 400]],
    ],
  },
  "mcp.surface": {
    observe: createDraftTool,
    expected: [
      ["2026-08", ["Uploaded", true, false]],
      ["2026-06", ["document.uploaded", false, true]],
    ],
  },
} satisfies Record<string, Case>;
