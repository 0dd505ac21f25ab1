/** Styles and scripts of the pages. The build puts the text of these files into the package. */
import { readFileSync } from "node:fs";
import { asset } from "../../engine/http/html.ts";

const COLORS = readFileSync(new URL("colors.css", import.meta.url), "utf8");

export const SIGNING_STYLE = asset(COLORS, readFileSync(new URL("signing/signing.css", import.meta.url), "utf8"));
export const SIGNING_SCRIPT = asset(readFileSync(new URL("signing/signing.js", import.meta.url), "utf8"));
export const EMBED_STYLE = asset(COLORS, readFileSync(new URL("embed/embed.css", import.meta.url), "utf8"));
export const EMBED_SCRIPT = asset(readFileSync(new URL("embed/embed.js", import.meta.url), "utf8"));
export const AUTHORIZE_STYLE = asset(COLORS, readFileSync(new URL("authorize.css", import.meta.url), "utf8"));
