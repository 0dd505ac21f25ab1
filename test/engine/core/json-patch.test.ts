/** Tests JSON Patch with the cases of RFC 6902, appendix A, and the corners that its text states. */
import { describe, expect, test } from "vitest";
import { applyPatch, PatchError, type PatchStep, pointerProblem } from "../../../src/engine/core/json-patch.ts";

const patch = (value: unknown, ...steps: PatchStep[]) => applyPatch(value, steps);

describe("steps that fit", () => {
  test.each<[string, unknown, PatchStep[], unknown]>([
    ["add makes a member", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { foo: "bar", baz: "qux" }],
    ["add replaces a member", { foo: "bar" }, [{ op: "add", path: "/foo", value: null }], { foo: null }],
    [
      "add inserts an entry",
      { foo: ["bar", "baz"] },
      [{ op: "add", path: "/foo/1", value: "qux" }],
      { foo: ["bar", "qux", "baz"] },
    ],
    ["add appends at the length", [1], [{ op: "add", path: "/1", value: 2 }], [1, 2]],
    ["add appends at -", { foo: ["bar"] }, [{ op: "add", path: "/foo/-", value: ["abc"] }], { foo: ["bar", ["abc"]] }],
    ["add replaces the whole value", { foo: 1 }, [{ op: "add", path: "", value: [1] }], [1]],
    ["add makes a nested object", { foo: 1 }, [{ op: "add", path: "/child", value: { a: {} } }], { foo: 1, child: { a: {} } }],
    ["remove removes a member", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
    ["remove removes an entry", { foo: [1, 2, 3] }, [{ op: "remove", path: "/foo/1" }], { foo: [1, 3] }],
    ["replace replaces a member", { baz: "qux" }, [{ op: "replace", path: "/baz", value: "boo" }], { baz: "boo" }],
    ["replace replaces an entry", [1, 2], [{ op: "replace", path: "/0", value: 3 }], [3, 2]],
    ["replace replaces the whole value", { a: 1 }, [{ op: "replace", path: "", value: "x" }], "x"],
    [
      "paths escape / and ~",
      { "/": 9, "~1": 10 },
      [
        { op: "replace", path: "/~01", value: 11 },
        { op: "remove", path: "/~1" },
      ],
      { "~1": 11 },
    ],
    ["an empty name is a name", { "": 1 }, [{ op: "replace", path: "/", value: 2 }], { "": 2 }],
    [
      "later steps see earlier ones",
      {},
      [
        { op: "add", path: "/a", value: {} },
        { op: "add", path: "/a/b", value: 1 },
      ],
      { a: { b: 1 } },
    ],
  ])("%s", (_, value, steps, result) => {
    const before = structuredClone(value);
    expect(patch(value, ...steps)).toEqual(result);
    expect(value).toEqual(before);
  });

  test("a member with the name of an inherited one is a plain member", () => {
    const result = patch({}, { op: "add", path: "/__proto__", value: { polluted: true } });
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(() => patch({}, { op: "remove", path: "/toString" })).toThrow(PatchError);
  });
});

describe("steps that do not fit", () => {
  test.each<[PatchStep, string]>([
    [{ op: "remove", path: "/no" }, 'remove "/no": the whole answer has no member "no"; there are foo, list'],
    [{ op: "replace", path: "/no", value: 1 }, 'replace "/no": the whole answer has no member "no"; there are foo, list'],
    [{ op: "add", path: "/no/x", value: 1 }, 'add "/no/x": the whole answer has no member "no"; there are foo, list'],
    [{ op: "add", path: "/foo/x", value: 1 }, 'add "/foo/x": "/foo" is "bar" and has no members'],
    [{ op: "add", path: "/list/2", value: 1 }, 'add "/list/2": "/list" has 1 entries, so none can stand at 2'],
    [{ op: "add", path: "/list/01", value: 1 }, 'add "/list/01": "/list" is a list, and "01" is not an index'],
    [{ op: "remove", path: "/list/-" }, 'remove "/list/-": "/list" is a list, and "-" is not an index'],
    [{ op: "replace", path: "/list/1", value: 1 }, 'replace "/list/1": "/list" has 1 entries, and none at 1'],
  ])("%o is refused with its place", (step, message) => {
    const value = { foo: "bar", list: [1] };
    expect(() => patch(value, step)).toThrow(new PatchError(message));
    expect(value).toEqual({ foo: "bar", list: [1] });
  });
});

test("a path is a JSON Pointer", () => {
  expect(["", "/", "/a~0b~1c/0", "/-"].map(pointerProblem)).toEqual([undefined, undefined, undefined, undefined]);
  expect(pointerProblem("a/b")).toBe('a path begins with "/": "/a/b"');
  expect(pointerProblem("/a~2")).toBe('"~2" is no escape of a path; write ~0 for "~" and ~1 for "/"');
  expect(pointerProblem("/a~")).toBe('"~" is no escape of a path; write ~0 for "~" and ~1 for "/"');
});
