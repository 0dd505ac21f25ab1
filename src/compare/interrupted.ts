/**
 * Documents whose processing a call ended, while no answer had yet shown whether the real service still processed them. The double
 * may have been at another stage. What happened to such a document on one side alone is then no difference.
 */
import type { Difference } from "./difference.ts";
import { isInProgress, isObject, jsonOf, type CallAnswer } from "./exchange.ts";

/** Operations that a service accepts while it processes the document, and that end the processing. Nothing of a deleted one differs later. */
const ENDS_PROCESSING: Readonly<Record<string, "kept" | "deleted">> = {
  documentRevertToDraft: "kept",
  deleteDocument: "deleted",
  bulkDeleteDocuments: "deleted",
};

export class Interrupted {
  /** Real ids of documents that were last seen in processing. */
  readonly #processing = new Set<string>();
  readonly #interrupted = new Map<string, "kept" | "deleted">();

  /** What a call or a webhook of the real service shows about documents. */
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

  /** A call that the real service accepted. Returns whether it may have ended the processing of a document. */
  end(operation: string, words: readonly string[]): boolean {
    const outcome = Object.hasOwn(ENDS_PROCESSING, operation) ? ENDS_PROCESSING[operation] : undefined;
    if (outcome === undefined) return false;
    const ended = words.filter((id) => this.#processing.delete(id));
    for (const id of ended) this.#interrupted.set(id, outcome);
    return ended.length > 0;
  }

  /** Whether the events of this document do not count. */
  has(id: string): boolean {
    return this.#interrupted.has(id);
  }

  #isKept(id: string | undefined): boolean {
    return id !== undefined && this.#interrupted.get(id) === "kept";
  }

  /** The differences that do not come from an interrupted document. */
  without(found: Difference[], words: readonly string[], real: CallAnswer): Difference[] {
    if (this.#interrupted.size === 0) return found;
    if (words.some((id) => this.#isKept(id))) return [];
    const body = jsonOf(real);
    return found.filter(({ pointer, real }) => real === undefined || !this.#isKept(entryOf(body, pointer)));
  }
}

/** The id of the list entry in which a pointer leads. */
function entryOf(body: unknown, pointer: string): string | undefined {
  const [, name = "", index = ""] = pointer.split("/");
  const list = isObject(body) ? body[name] : undefined;
  const entry: unknown = Array.isArray(list) ? list[Number(index)] : undefined;
  return isObject(entry) && typeof entry.id === "string" ? entry.id : undefined;
}
