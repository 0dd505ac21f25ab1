/** Test values for clients that cannot load a file: the data of a subject holds `locked*1,throttled*2`. */
import { ERROR_KINDS, type InjectedError } from "./rule-schema.ts";

const REPEAT_MAX = 1000;

/** One fault per call. `ok` lets a call pass. Ignores unknown words. */
export function faultsOf(text: string): (InjectedError | "ok")[] {
  const parts = text.split(",", REPEAT_MAX);
  return parts.flatMap((part) => {
    const [word = "", times = "1"] = part.trim().split("*");
    if (word !== "ok" && !(ERROR_KINDS as readonly string[]).includes(word)) return [];
    const count = Number(times);
    return Number.isInteger(count) && count > 0
      ? Array<InjectedError | "ok">(Math.min(count, REPEAT_MAX)).fill(word as InjectedError | "ok")
      : [];
  });
}
