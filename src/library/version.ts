import { readFileSync } from "node:fs";
import { inPackage } from "../engine/core/package-root.ts";

export const VERSION: string = (JSON.parse(readFileSync(inPackage("package.json"), "utf8")) as { version: string }).version;
