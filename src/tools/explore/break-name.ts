import { createHash } from "node:crypto";
import { slug } from "../../engine/core/text.ts";
import type { FaultPlace, Symptom } from "./report.ts";

/** In characters. Keeps the path of the file short enough for Windows. */
const NAME_MAX = 80;
const MARK_LENGTH = 6;
const PLAIN = /^[A-Za-z0-9]+([ _.=-][A-Za-z0-9]+)*$/;

/**
 * Small letters, digits and hyphens. The symptom comes first, so Windows never reserves the name.
 * Places of one fault and operation share a name. A mark tells long roles, and roles with other characters, apart.
 */
export function breakName(faults: readonly FaultPlace[], symptom: Symptom): string {
  const places = faults.flatMap(({ fault, operation, reading = [] }) => [fault, operation, reading].flat());
  const words = [symptom, ...places].map(toWords).filter((one) => one !== "");
  const name = words.join("-");
  if (name.length <= NAME_MAX && places.every((one) => PLAIN.test(one))) return name;
  const mark = createHash("sha256").update(JSON.stringify(places)).digest("hex").slice(0, MARK_LENGTH);
  return `${name.slice(0, NAME_MAX - MARK_LENGTH - 1).replace(/-+$/, "")}-${mark}`;
}

function toWords(text: string): string {
  return slug(text.replace(/([a-z0-9])([A-Z])/g, "$1-$2"));
}
