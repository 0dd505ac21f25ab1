/** Style and script of the inspector. The build puts the text of these files into the package. */
import { readFileSync } from "node:fs";
import { raw } from "../../engine/http/html.ts";

const BASE = readFileSync(new URL("inspector.css", import.meta.url), "utf8");
const TABLES = readFileSync(new URL("tables.css", import.meta.url), "utf8");
const DOCUMENT = readFileSync(new URL("document.css", import.meta.url), "utf8");

export const STYLE = raw(`${BASE}${TABLES}${DOCUMENT}`);
export const SCRIPT = raw(readFileSync(new URL("inspector.js", import.meta.url), "utf8"));
