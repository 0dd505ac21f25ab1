import { readFileSync } from "node:fs";
import { raw } from "../../engine/http/html.ts";
import { STYLE } from "../views/assets.ts";

const OWN_STYLE = readFileSync(new URL("reference.css", import.meta.url), "utf8");

export const REFERENCE_STYLE = raw(`${STYLE}${OWN_STYLE}`);
export const REFERENCE_SCRIPT = raw(readFileSync(new URL("reference.js", import.meta.url), "utf8"));
