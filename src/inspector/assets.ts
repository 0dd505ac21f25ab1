/** Styles and scripts of the inspector, the reference and the page at `/`. The build puts the text of these files into the package. */
import { readFileSync } from "node:fs";
import { asset } from "../engine/http/html.ts";

const BASE = readFileSync(new URL("views/base.css", import.meta.url), "utf8");
const INSPECTOR = readFileSync(new URL("views/inspector.css", import.meta.url), "utf8");
const DOCUMENT = readFileSync(new URL("views/document.css", import.meta.url), "utf8");
const LANDING = readFileSync(new URL("landing.css", import.meta.url), "utf8");
const REFERENCE = readFileSync(new URL("reference/reference.css", import.meta.url), "utf8");

export const STYLE = asset(BASE, INSPECTOR, DOCUMENT);
export const LANDING_STYLE = asset(BASE, INSPECTOR, LANDING);
export const REFERENCE_STYLE = asset(BASE, REFERENCE);
export const SCRIPT = asset(readFileSync(new URL("views/inspector.js", import.meta.url), "utf8"));
export const LANDING_SCRIPT = asset(readFileSync(new URL("landing.js", import.meta.url), "utf8"));
export const REFERENCE_SCRIPT = asset(readFileSync(new URL("reference/reference.js", import.meta.url), "utf8"));
