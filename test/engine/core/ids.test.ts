import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Ids } from "../../../src/engine/core/ids.ts";
import { law } from "../../support/law.ts";

/** The unambiguous alphabet: no 0, 1, I, O or l. */
const SHORT = /^[A-HJ-NP-Za-km-z][2-9A-HJ-NP-Za-km-z]{21}$/;

describe("the forms of ids", () => {
  const ids = new Ids("forms");
  const many = Array.from({ length: 500 });

  test("short has 22 characters without look-alikes and starts with a letter", () => {
    for (const _ of many) expect(ids.short()).toMatch(SHORT);
  });

  test("uuid has version 4 and its variant", () => {
    for (const _ of many) expect(ids.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("hex has the requested number of lowercase digits", () => {
    for (const length of [0, 1, 7, 8, 9, 40]) expect(ids.hex(length)).toMatch(new RegExp(`^[0-9a-f]{${length}}$`));
  });

  test("refNumber has four groups of five capitals", () => {
    for (const _ of many) expect(ids.refNumber()).toMatch(/^[A-Z]{5}(-[A-Z]{5}){3}$/);
  });

  test("between returns every integer of the range and no other number", () => {
    const seen = new Set(many.map(() => ids.between(3, 6)));
    expect([...seen].sort()).toEqual([3, 4, 5, 6]);
    expect(ids.between(4, 4)).toBe(4);
  });

  test("a long run of ids has no duplicates", () => {
    const seen = new Set(Array.from({ length: 20_000 }, () => ids.short()));
    expect(seen.size).toBe(20_000);
  });
});

describe("determinism", () => {
  const draw = (ids: Ids) => [ids.short(), ids.uuid(), ids.hex(40), ids.refNumber(), ids.between(0, 1e9), ids.next()];

  test("a seed gives the same ids as a text or a number, and another seed gives other ids", () => {
    expect(draw(new Ids(7))).toEqual(draw(new Ids("7")));
    expect(draw(new Ids(7))).not.toEqual(draw(new Ids(8)));
  });

  test("the sequence of a seed never changes between versions", () => {
    const ids = new Ids(7);
    expect([ids.short(), ids.uuid(), ids.refNumber()]).toMatchInlineSnapshot(`
      [
        "wXCriMggoSWFkaSAxEW7bi",
        "2cb88c0a-913c-4ddb-94eb-73b9f202448c",
        "PWXPS-MNIEJ-HFBRB-SMJGS",
      ]
    `);
  });

  test("a restored state continues the sequence from its saved place", () => {
    law(
      fc.property(fc.string(), fc.nat(50), fc.nat(50), (seed, before, between) => {
        const ids = new Ids(seed);
        for (let i = 0; i < before; i++) ids.next();
        const { state } = ids;
        const first = draw(ids);
        for (let i = 0; i < between; i++) ids.next();
        ids.state = state;
        expect(draw(ids)).toEqual(first);
        const other = new Ids("other");
        other.state = JSON.parse(JSON.stringify(state));
        expect(draw(other)).toEqual(first);
      }),
    );
  });

  test("a saved state is a copy that later draws do not change", () => {
    const ids = new Ids(1);
    const { state } = ids;
    const copy = [...state];
    ids.next();
    expect(state).toEqual(copy);
    ids.state = state;
    ids.next();
    expect(state).toEqual(copy);
  });
});
