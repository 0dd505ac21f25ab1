/** The style of the HTML report. The build puts the text of the files into the package. */
import { readFileSync } from "node:fs";
import { asset } from "../../engine/http/html.ts";

export const STYLE = asset(
  readFileSync(new URL("../../inspector/views/base.css", import.meta.url), "utf8"),
  readFileSync(new URL("report.css", import.meta.url), "utf8"),
);
