import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

interface Route<T> {
  method: string;
  path: string;
  handler: T;
  parts: readonly string[];
}

/** What a tree finds for all paths of one shape: handlers, with the places of their parameters in the path. */
type Shape<T> = readonly { handler: T; params: readonly [name: string, place: number][] }[];

/** Where a path stands after some of its parts. The next steps are by literal, and by ":" for all other parts. */
interface Step<T> {
  next: Map<string, Step<T>>;
  /** What the path matches if it ends here. Undefined until a path does. */
  shape: Shape<T> | undefined;
}

/** Clients can send paths of any shape. Beyond this number of steps, the trees alone answer new shapes. */
const STEPS_MAX = 4000;

/**
 * Searches hono's tree once for each shape of a path, because a search takes as long as a small handler. Two paths have the same shape when
 * they differ only in parts that are literal in no route. So both match the same routes. Each number of parts has a separate tree, which
 * the first such path builds: a start does not need most routes.
 */
export class ShapeRouter<T> implements Router<T> {
  readonly name = "ShapeRouter";
  readonly #routes: Route<T>[] = [];
  readonly #literals = new Set([""]);
  /** By method. */
  readonly #steps = new Map<string, Step<T>>();
  #stepsCount = 0;
  readonly #trees = new Map<number, TrieRouter<T>>();
  #partsMax = 0;

  /** @throws for a route with a pattern or an optional part: there, paths of one shape could match different routes */
  add(method: string, path: string, handler: T): void {
    const parts = path.split("/");
    if (parts.some((part) => /[{?]|.\*|\*./.test(part))) throw new Error(`ShapeRouter takes no patterns: ${method} ${path}`);
    this.#routes.push({ method, path, handler, parts });
    this.#steps.clear();
    this.#stepsCount = 0;
    this.#trees.clear();
    this.#partsMax = Math.max(this.#partsMax, parts.length);
    for (const part of parts) if (part !== "*" && !part.startsWith(":")) this.#literals.add(part);
  }

  match(method: string, path: string): Result<T> {
    const parts = path.split("/");
    let step = this.#steps.get(method) ?? this.#makeStep(this.#steps, method);
    for (let place = 0; step !== undefined && place < parts.length; place++) {
      const part = parts[place] as string;
      step = step.next.get(part) ?? this.#stepTo(step, part);
    }
    if (step === undefined) return this.#treeFor(parts).match(method, path);
    step.shape ??= this.#search(method, parts);
    return [step.shape.map(({ handler, params }) => [handler, paramsOf(params, parts)])];
  }

  #stepTo({ next }: Step<T>, part: string): Step<T> | undefined {
    const name = this.#literals.has(part) ? part : ":";
    return next.get(name) ?? this.#makeStep(next, name);
  }

  /** Undefined when the router keeps as many steps as it may. */
  #makeStep(steps: Map<string, Step<T>>, name: string): Step<T> | undefined {
    if (this.#stepsCount >= STEPS_MAX) return undefined;
    this.#stepsCount++;
    const step: Step<T> = { next: new Map(), shape: undefined };
    steps.set(name, step);
    return step;
  }

  /** Searches for a path that has its place instead of each value, and so learns where the parameters are. */
  #search(method: string, parts: readonly string[]): Shape<T> {
    const places = parts.map((part, place) => (this.#literals.has(part) ? part : `:${place}`));
    const [found] = this.#treeFor(parts).match(method, places.join("/"));
    return found.map(([handler, params]) => ({
      handler,
      params: Object.entries(params as Record<string, string>).map(([name, part]) => [name, places.indexOf(part)]),
    }));
  }

  #treeFor({ length }: readonly string[]): TrieRouter<T> {
    // Only routes with a wildcard match a longer path.
    const size = Math.min(length, this.#partsMax + 1);
    let tree = this.#trees.get(size);
    if (tree === undefined) {
      tree = new TrieRouter();
      for (const { method, path, handler, parts } of this.#routes)
        if (parts.length === size || parts.includes("*")) tree.add(method, path, handler);
      this.#trees.set(size, tree);
    }
    return tree;
  }
}

function paramsOf(params: Shape<unknown>[number]["params"], parts: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, place] of params) found[name] = parts[place] as string;
  return found;
}
