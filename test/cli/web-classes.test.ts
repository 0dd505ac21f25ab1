import { describe, expect, it } from "vitest";
import { deferWebClasses } from "../../src/cli/web-classes.ts";

const REAL = { Headers, Request, Response };

/** Globals as Node defines them: the first read of a class loads it and replaces the global by the class. */
function lazyGlobals(): { globals: typeof REAL; loads: string[]; loadAll: () => void } {
  const loads: string[] = [];
  const globals = {} as typeof REAL;
  for (const name of ["Headers", "Request", "Response"] as const)
    Object.defineProperty(globals, name, {
      configurable: true,
      get() {
        loads.push(name);
        Object.defineProperty(globals, name, { value: REAL[name], configurable: true, writable: true });
        return REAL[name];
      },
    });
  const loadAll = deferWebClasses(globals);
  return { globals, loads, loadAll };
}

describe("deferred web classes", () => {
  it("load nothing for reads, subclasses and checks of usual values", () => {
    const { globals, loads } = lazyGlobals();
    class Light extends globals.Response {}
    const light = Object.create(Light.prototype) as unknown;
    expect([light instanceof globals.Response, light instanceof Light]).toEqual([true, true]);
    expect([{} instanceof globals.Headers, (null as unknown) instanceof globals.Headers]).toEqual([false, false]);
    expect(globals.Headers.name).toBe("Headers");
    expect(loads).toEqual([]);
  });

  it("create instances of the real class, and keep the stand-in as the global", () => {
    const { globals, loads } = lazyGlobals();
    const before = globals.Headers;
    const headers = new globals.Headers({ "X-Kind": "a" });
    expect(headers).toBeInstanceOf(Headers);
    expect(headers.get("x-kind")).toBe("a");
    expect(globals.Headers).toBe(before);
    expect([headers instanceof globals.Headers, new Headers() instanceof globals.Headers]).toEqual([true, true]);
    expect(loads).toEqual(["Headers"]);
  });

  it("recognize an instance that Node created, even if the class was not loaded", () => {
    const { globals, loads } = lazyGlobals();
    expect(new Response("x") instanceof globals.Response).toBe(true);
    expect(new Map() instanceof globals.Response).toBe(false);
    expect(loads).toEqual(["Response"]);
  });

  it("give the members of the real class to a subclass that was declared before the load", async () => {
    const { globals } = lazyGlobals();
    class Wrapped extends globals.Request {
      get isWrapped(): boolean {
        return true;
      }
    }
    const request = new Wrapped("http://127.0.0.1/a", { method: "POST", body: "text" });
    expect([request.method, request.isWrapped, await request.text()]).toEqual(["POST", true, "text"]);
    expect([request instanceof Request, new Request("http://127.0.0.1/") instanceof Wrapped]).toEqual([true, false]);
    expect(globals.Response.error().type).toBe("error");
  });

  it("become the real classes when all are loaded", () => {
    const { globals, loads, loadAll } = lazyGlobals();
    class Light extends globals.Response {}
    loadAll();
    expect(loads).toEqual(["Headers", "Request", "Response"]);
    expect([new Response() instanceof globals.Response, Object.create(Light.prototype) instanceof Response]).toEqual([
      true,
      true,
    ]);
    expect([{} instanceof globals.Response, {} instanceof Light]).toEqual([false, false]);
  });

  it("keep classes that are already loaded", () => {
    const globals = { ...REAL };
    deferWebClasses(globals);
    expect(globals).toEqual(REAL);
  });
});
