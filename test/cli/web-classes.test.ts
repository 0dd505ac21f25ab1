import { describe, expect, it } from "vitest";
import { deferredWebClasses } from "../../src/cli/web-classes.ts";

const REAL = { Headers, Request, Response };

/** The stand-ins, and the classes that they load. */
function standIns(): { web: typeof REAL; loads: string[]; load: () => void } {
  const loads: string[] = [];
  const { classes, load } = deferredWebClasses((name) => {
    loads.push(name);
    return REAL[name as keyof typeof REAL];
  });
  return { web: classes as unknown as typeof REAL, loads, load };
}

describe("deferred web classes", () => {
  it("load nothing for reads, subclasses and checks of usual values", () => {
    const { web, loads } = standIns();
    class Light extends web.Response {}
    const light = Object.create(Light.prototype) as unknown;
    expect([light instanceof web.Response, light instanceof Light]).toEqual([true, true]);
    expect([{} instanceof web.Headers, (null as unknown) instanceof web.Headers]).toEqual([false, false]);
    expect(web.Headers.name).toBe("Headers");
    expect(loads).toEqual([]);
  });

  it("create instances of the real class, which they load once", () => {
    const { web, loads } = standIns();
    const headers = new web.Headers({ "X-Kind": "a" });
    expect(headers).toBeInstanceOf(Headers);
    expect(headers.get("x-kind")).toBe("a");
    expect(new web.Headers().get("x-kind")).toBeNull();
    expect([headers instanceof web.Headers, new Headers() instanceof web.Headers]).toEqual([true, true]);
    expect(loads).toEqual(["Headers"]);
  });

  it("recognize an instance that Node created, even if the class was not loaded", () => {
    const { web, loads } = standIns();
    expect(new Response("x") instanceof web.Response).toBe(true);
    expect(new Map() instanceof web.Response).toBe(false);
    expect(loads).toEqual(["Response"]);
  });

  it("give the members of the real class to a subclass that was declared before the load", async () => {
    const { web } = standIns();
    class Wrapped extends web.Request {
      get isWrapped(): boolean {
        return true;
      }
    }
    const request = new Wrapped("http://127.0.0.1/a", { method: "POST", body: "text" });
    expect([request.method, request.isWrapped, await request.text()]).toEqual(["POST", true, "text"]);
    expect([request instanceof Request, new Request("http://127.0.0.1/") instanceof Wrapped]).toEqual([true, false]);
    expect(web.Response.error().type).toBe("error");
  });

  it("become the real classes when all are loaded", () => {
    const { web, loads, load } = standIns();
    class Light extends web.Response {}
    load();
    expect(loads).toEqual(["Headers", "Request", "Response"]);
    expect([new Response() instanceof web.Response, Object.create(Light.prototype) instanceof Response]).toEqual([true, true]);
    expect([{} instanceof web.Response, {} instanceof Light]).toEqual([false, false]);
  });
});
