/** The style of the HTML report. The build puts the text of the file into the package. */
import { readFileSync } from "node:fs";
import { raw } from "../../engine/http/html.ts";

export const STYLE = raw(readFileSync(new URL("report.css", import.meta.url), "utf8"));
