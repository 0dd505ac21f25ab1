import type { Result } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** What the tree finds for all paths of one shape: handlers, with the places of their parameters in the path. */
type Shape<T> = readonly { handler: T; params: readonly [name: string, place: number][] }[];

/** Clients can send paths of any shape. The tree alone answers more shapes. */
const SHAPES_MAX = 1000;

/**
 * Searches the tree once for each shape of a path, because a search takes as long as a small handler. Two paths have the same shape when
 * they differ only in parts that are literal in no route. So both match the same routes.
 */
export class ShapeRouter<T> extends TrieRouter<T> {
  readonly #literals = new Set([""]);
  readonly #shapes = new Map<string, Shape<T>>();
  /** Patterns look into a part, so paths of one shape could match different routes. */
  #hasPatterns = false;

  override add(method: string, path: string, handler: T): void {
    super.add(method, path, handler);
    this.#shapes.clear();
    for (const part of path.split("/")) {
      if (/[{?]|.\*|\*./.test(part)) this.#hasPatterns = true;
      else if (part !== "*" && !part.startsWith(":")) this.#literals.add(part);
    }
  }

  override match(method: string, path: string): Result<T> {
    if (this.#hasPatterns) return super.match(method, path);
    const parts = path.split("/");
    let name = method;
    for (const part of parts) name += this.#literals.has(part) ? `/${part}` : "/:";
    let shape = this.#shapes.get(name);
    if (shape === undefined) {
      if (this.#shapes.size >= SHAPES_MAX) return super.match(method, path);
      shape = this.#search(method, parts);
      this.#shapes.set(name, shape);
    }
    return [shape.map(({ handler, params }) => [handler, paramsOf(params, parts)])];
  }

  /** Searches for the path with the place of each part in the part's stead, and so learns where the parameters are. */
  #search(method: string, parts: readonly string[]): Shape<T> {
    const places = parts.map((part, place) => (this.#literals.has(part) ? part : `:${place}`));
    const [found] = super.match(method, places.join("/"));
    return found.map(([handler, params]) => ({
      handler,
      params: Object.entries(params as Record<string, string>).map(([name, part]) => [name, places.indexOf(part)]),
    }));
  }
}

function paramsOf(params: Shape<unknown>[number]["params"], parts: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, place] of params) found[name] = parts[place] as string;
  return found;
}
