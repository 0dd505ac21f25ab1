/** Compares the router with hono's tree, which it extends. */
import { TrieRouter } from "hono/router/trie-router";
import { expect, test } from "vitest";
import { adminOperations } from "../../../src/library/surfaces.ts";
import { operations } from "../../../src/service/api/index.ts";
import { ShapeRouter } from "../../../src/engine/http/shape-router.ts";

function both(routes: readonly (readonly [method: string, path: string])[]) {
  const [router, tree] = [new ShapeRouter<string>(), new TrieRouter<string>()];
  for (const [method, path] of routes) for (const one of [router, tree]) one.add(method, path, `${method} ${path}`);
  return (method: string, path: string) => {
    const [found] = router.match(method, path);
    const [expected] = tree.match(method, path);
    return {
      found: found.map(([handler, params]) => [handler, { ...params }]),
      expected: expected.map(([handler, params]) => [handler, { ...params }]),
    };
  };
}

const ROUTES = [
  ["GET", "/documents"],
  ["GET", "/documents/:id"],
  ["GET", "/documents/linked"],
  ["GET", "/documents/:document_id/fields"],
  ["GET", "/documents/:id/fields/:field"],
  ["GET", "/:kind/:id/fields"],
  ["POST", "/documents/:id"],
  ["GET", "/docs"],
  ["GET", "/docs/*"],
] as const;

test.each([
  "/documents",
  "/documents/a",
  "/documents/b",
  "/documents/linked",
  "/documents/documents",
  "/documents/fields",
  "/documents/a/fields",
  "/documents/linked/fields",
  "/documents/fields/fields",
  "/documents/a/fields/b",
  "/documents/a/fields/a",
  "/documents/fields/fields/fields",
  "/templates/a/fields",
  "/docs/guide/a/b",
  "/docs/",
  "/documents/",
  "/documents//fields",
  "//fields",
  "/",
  "",
  "/documents/__proto__",
  "/documents/constructor/fields/toString",
  "/a/b/c/d/e",
])("%s matches as in hono's tree, also the second time", (path) => {
  const match = both(ROUTES);
  for (const method of ["GET", "POST", "PUT", "GET", "POST"])
    for (const one of [path, path.replace("a", "c"), path]) {
      const { found, expected } = match(method, one);
      expect(found).toEqual(expected);
    }
});

test("all routes of docdouble match as in hono's tree", () => {
  const routes = [...operations, ...adminOperations].map(({ route }) => {
    const [method = "", path = ""] = route.replace(/\{(\w+)\}/g, ":$1").split(" ");
    return [method, path.split("?")[0] as string] as const;
  });
  const match = both(routes);
  for (const value of ["one", "documents", "-", "one"])
    for (const [method, path] of routes) {
      const { found, expected } = match(method, path.replaceAll(/:\w+/g, value));
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(expected);
    }
});

test.each(["/files/:name{.+}", "/files/:name?", "/files/a*"])("the route %s is refused", (route) => {
  expect(() => new ShapeRouter().add("GET", route, "")).toThrow(`ShapeRouter takes no patterns: GET ${route}`);
});

test("a part of a path that looks like a parameter or a wildcard is a value", () => {
  const match = both(ROUTES);
  for (const value of [":id", ":document_id", "*"])
    expect(match("GET", `/documents/${value}/fields/a`).found).toEqual([
      ["GET /documents/:id/fields/:field", { id: value, field: "a" }],
    ]);
});

test("paths match also after paths of so many shapes that the router keeps no more steps", () => {
  const match = both(ROUTES);
  for (let depth = 0; depth < 2400; depth++) match("GET", `/${"x/".repeat(depth)}`);
  const { found, expected } = match("GET", "/documents/a/fields/b");
  expect(found).toHaveLength(1);
  expect(found).toEqual(expected);
});
