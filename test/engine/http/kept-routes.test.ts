import { describe, expect, test } from "vitest";
import { KeptRoutes } from "../../../src/engine/http/kept-routes.ts";

type Plain = [string, Record<string, string>][];
const plain = (routes: KeptRoutes<string>, method: string, path: string) => (routes.match(method, path) as [Plain])[0];

describe("kept routes", () => {
  test("give one answer for a path and a method, again and again", () => {
    const routes = new KeptRoutes<string>();
    routes.add("GET", "/documents/:id", "read");
    routes.add("PATCH", "/documents/:id", "update");
    routes.add("GET", "/documents/:document_id/fields", "fields");
    for (let i = 0; i < 2; i++) {
      expect(plain(routes, "GET", "/documents/a")).toEqual([["read", { id: "a" }]]);
      expect(plain(routes, "GET", "/documents/b")).toEqual([["read", { id: "b" }]]);
      expect(plain(routes, "PATCH", "/documents/a")).toEqual([["update", { id: "a" }]]);
      expect(plain(routes, "GET", "/documents/a/fields")).toEqual([["fields", { document_id: "a" }]]);
      expect(plain(routes, "GET", "/elsewhere")).toEqual([]);
    }
    expect(routes.match("GET", "/documents/a")).toBe(routes.match("GET", "/documents/a"));
  });

  test("find a route that comes later", () => {
    const routes = new KeptRoutes<string>();
    expect(plain(routes, "GET", "/documents/a")).toEqual([]);
    routes.add("GET", "/documents/:id", "read");
    expect(plain(routes, "GET", "/documents/a")).toEqual([["read", { id: "a" }]]);
  });

  test("hold a thousand paths, and no long one", () => {
    const routes = new KeptRoutes<string>();
    routes.add("GET", "/documents/:id", "read");
    const first = routes.match("GET", "/documents/first");
    const long = `/documents/${"x".repeat(200)}`;
    expect(routes.match("GET", long)).not.toBe(routes.match("GET", long));
    for (let i = 0; i < 999; i++) routes.match("GET", `/documents/${i}`);
    expect(routes.match("GET", "/documents/first")).toBe(first);
    routes.match("GET", "/documents/one-more");
    expect(routes.match("GET", "/documents/first")).not.toBe(first);
    expect(plain(routes, "GET", "/documents/first")).toEqual([["read", { id: "first" }]]);
  });
});
