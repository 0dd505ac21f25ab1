/** Style and script of the signing pages. The build puts the text of these files into the package. */
import { readFileSync } from "node:fs";
import { raw } from "../../../engine/http/html.ts";

export const STYLE = raw(readFileSync(new URL("signing.css", import.meta.url), "utf8"));
export const SCRIPT = raw(readFileSync(new URL("signing.js", import.meta.url), "utf8"));
