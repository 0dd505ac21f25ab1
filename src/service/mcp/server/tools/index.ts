import { type McpSurface, toolNamesOf } from "../../../model/mcp/names.ts";
import type { Tool } from "../tool.ts";
import { changingTools } from "./changing.ts";
import { creatingTools } from "./creating.ts";
import { readingTools } from "./reading.ts";

const byName = new Map([...readingTools, ...creatingTools, ...changingTools].map((one) => [one.name as string, one]));

/** The tools of one list, by name in alphabetical order. */
export function toolsOf(surface: McpSurface): Tool[] {
  return [...toolNamesOf(surface)].sort().map((name) => byName.get(name) as Tool);
}

export function findTool(name: string, surface: McpSurface): Tool | undefined {
  return toolNamesOf(surface).some((one) => one === name) ? byName.get(name) : undefined;
}
