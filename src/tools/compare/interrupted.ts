/**
 * Documents whose processing a call ended while the real service may still have processed them. The double may have been at another
 * stage, so later differences of these documents do not count. The same is true after a change whose answer was lost.
 */
import { own } from "../../engine/core/maps.ts";
import type { Difference } from "./difference.ts";
import { idKind } from "./text-kind.ts";
import { isInProgress, isObject, jsonOf, type CallAnswer } from "./exchange.ts";

/** A service accepts these operations while it processes the document. A deleted document shows no later differences. */
const ENDS_PROCESSING: Readonly<Record<string, "kept" | "deleted">> = {
  documentRevertToDraft: "kept",
  deleteDocument: "deleted",
  bulkDeleteDocuments: "deleted",
};

export class Interrupted {
  readonly #processing = new Set<string>();
  readonly #interrupted = new Map<string, "kept" | "deleted">();

  see(body: unknown): void {
    if (Array.isArray(body)) for (const one of body) this.see(one);
    if (!isObject(body)) return;
    const { id, status, results, data } = body;
    if (typeof id === "string" && typeof status === "string") {
      if (isInProgress(body)) this.#processing.add(id);
      else this.#processing.delete(id);
    }
    for (const part of [results, data]) if (typeof part === "object") this.see(part);
  }

  /** Returns true if an accepted call may have ended the processing of a document. */
  end(operation: string, words: readonly string[]): boolean {
    const outcome = own(ENDS_PROCESSING, operation);
    if (outcome === undefined) return false;
    const ended = words.filter((id) => this.#processing.delete(id));
    for (const id of ended) this.#interrupted.set(id, outcome);
    return ended.length > 0;
  }

  /** The service may have carried out a change without a clear answer. Returns true if the path names a thing. */
  lose(target: string): boolean {
    const ids = (target.split("?", 1)[0] as string).split("/").filter((one) => idKind(one) !== undefined);
    for (const id of ids) this.#interrupted.set(id, "kept");
    return ids.length > 0;
  }

  has(id: string): boolean {
    return this.#interrupted.has(id);
  }

  #isKept(id: string | undefined): boolean {
    return id !== undefined && this.#interrupted.get(id) === "kept";
  }

  /** @param realOf the real id of the thing with an id of the double */
  without(
    found: Difference[],
    words: readonly string[],
    real: CallAnswer,
    realOf: (double: string) => string | undefined,
  ): Difference[] {
    if (this.#interrupted.size === 0) return found;
    if (words.some((id) => this.#isKept(id))) return [];
    const body = jsonOf(real);
    const idIn = ({ pointer, real, double }: Difference) => {
      if (real !== undefined) return entryOf(body, pointer);
      const id = isObject(double) ? (double.id ?? double.uuid) : undefined;
      return typeof id === "string" ? realOf(id) : undefined;
    };
    return found.filter((one) => !this.#isKept(idIn(one)));
  }
}

function entryOf(body: unknown, pointer: string): string | undefined {
  const [, name = "", index = ""] = pointer.split("/");
  const list = isObject(body) ? body[name] : undefined;
  const entry: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  return isObject(entry) && typeof entry.id === "string" ? entry.id : undefined;
}
