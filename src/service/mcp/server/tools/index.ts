import { compareText } from "../../../../engine/core/text.ts";
import type { Tool } from "../tool.ts";
import { changingTools } from "./changing.ts";
import { creatingTools } from "./creating.ts";
import { readingTools } from "./reading.ts";

export const TOOLS: readonly Tool[] = [...readingTools, ...creatingTools, ...changingTools].sort((a, b) =>
  compareText(a.name, b.name),
);

const byName = new Map(TOOLS.map((one) => [one.name as string, one]));

export function findTool(name: string): Tool | undefined {
  return byName.get(name);
}
