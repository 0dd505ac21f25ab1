import type { Result } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { makeRoom } from "../core/maps.ts";

const KEPT_MAX = 1000;
/** A client chooses its paths, so a long one is not kept. */
const LENGTH_MAX = 200;

/**
 * Keeps what the latest paths found, because clients poll the same path. Some paths of a service differ only in the names of parameters,
 * which Hono's faster routers refuse.
 */
export class KeptRoutes<T> extends TrieRouter<T> {
  readonly #kept = new Map<string, Result<T>>();

  override add(method: string, path: string, handler: T): void {
    this.#kept.clear();
    super.add(method, path, handler);
  }

  override match(method: string, path: string): Result<T> {
    if (path.length > LENGTH_MAX) return super.match(method, path);
    const key = `${method} ${path}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const found = super.match(method, path);
    makeRoom(this.#kept, KEPT_MAX);
    this.#kept.set(key, found);
    return found;
  }
}
