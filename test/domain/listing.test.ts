import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeOf, STATUSES } from "../../src/domain/document-machine.ts";
import { type DocumentFilter, listDocuments, ORDER_FIELDS } from "../../src/domain/listing.ts";
import type { DocumentRow } from "../../src/domain/tables.ts";
import { aDraft } from "../support/stories.ts";
import { type TestWorld, testWorld } from "../support/world.ts";

type Part = Omit<Partial<DocumentRow>, "internal"> & { deleted?: boolean };

/** A world whose only documents are `parts`, each a real one with some members replaced. */
async function worldOf(parts: Record<string, Part>): Promise<TestWorld> {
  const world = await testWorld();
  const { documents } = world.tenant.store;
  const model = documents.get(await aDraft(world)) as DocumentRow;
  documents.delete(model.id);
  for (const [id, { deleted = false, ...part }] of Object.entries(parts)) {
    const internal = { ...model.internal, deleted_at: deleted ? 1 : null };
    documents.put({ ...model, id, name: id, ref_number: "", ...part, internal });
  }
  return world;
}

function list(world: TestWorld, filter: Partial<DocumentFilter> = {}): string[] {
  const usual = { order_by: "name", count: 50, page: 1 } as const;
  return listDocuments(world.tenant.world, { ...usual, ...filter }).map((row) => row.id);
}

describe("listDocuments: filters", () => {
  test("each filter finds what it says and nothing else", async () => {
    const world = await worldOf({
      a: {
        name: "Alpha NDA",
        ref_number: "ABCDE-FGHIJ",
        status: "document.sent",
        template: { id: "t1", name: "T" },
        form_id: "form1",
        folder_uuid: "f1",
        owner: "m1",
        tags: ["red", "blue"],
        metadata: { team: "sales", deal: "1" },
      },
      b: {
        name: "Beta",
        status: "document.completed",
        template: { id: "t2", name: "T" },
        owner: "m2",
        metadata: { team: "sales" },
      },
      c: { name: "Gamma", template: null, tags: ["blue"], folder_uuid: "f2", deleted: true },
      d: { name: "Delta", workspace_id: "another", template: { id: "t1", name: "T" }, folder_uuid: "f1", owner: "m1" },
    });
    const cases: [Partial<DocumentFilter>, string[]][] = [
      [{}, ["a", "b"]],
      [{ deleted: false }, ["a", "b"]],
      [{ deleted: true }, ["c"]],
      [{ id: "a" }, ["a"]],
      [{ id: "c" }, []],
      [{ id: "c", deleted: true }, ["c"]],
      [{ id: "d" }, []],
      [{ id: "nobody" }, []],
      [{ q: "nda" }, ["a"]],
      [{ q: "fghij" }, ["a"]],
      [{ q: "" }, ["a", "b"]],
      [{ q: "zeta" }, []],
      [{ status: codeOf("document.sent") }, ["a"]],
      [{ status__ne: codeOf("document.sent") }, ["b"]],
      [{ status: codeOf("document.sent"), status__ne: codeOf("document.sent") }, []],
      [{ template_id: "t1" }, ["a"]],
      [{ form_id: "form1" }, ["a"]],
      [{ folder_uuid: "f1" }, ["a"]],
      [{ folder_uuid: "f2" }, []],
      [{ folder_uuid: "f2", deleted: true }, ["c"]],
      [{ membership_id: "m1" }, ["a"]],
      [{ tag: "blue" }, ["a"]],
      [{ tag: "Blue" }, []],
      [{ metadata: [["team", "sales"]] }, ["a", "b"]],
      [
        {
          metadata: [
            ["team", "sales"],
            ["deal", "1"],
          ],
        },
        ["a"],
      ],
      [{ metadata: [["team", "sale"]] }, []],
      [{ template_id: "t1", membership_id: "m2" }, []],
    ];
    for (const [filter, expected] of cases) expect([filter, list(world, filter)]).toEqual([filter, expected]);
  });

  test("contact_id finds by a recipient's contact", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await aDraft(world, { body: { recipients: [{ email: "other@client.example", role: "Client" }] } });
    const contact = world.tenant.store.documents.get(id)?.recipients[0]?.contact_id ?? "";
    expect(list(world, { contact_id: contact })).toEqual([id]);
    expect(list(world, { contact_id: "nobody" })).toEqual([]);
  });

  test.each(["created", "completed", "modified"] as const)(
    "%s: from is included, to is not, and nothing is never between",
    async (name) => {
      const member = `date_${name}` as const;
      const world = await worldOf({
        a: { [member]: 100 },
        b: { [member]: 200 },
        c: { [member]: 300 },
        ...(name === "completed" ? { never: { date_completed: null } } : {}),
      });
      const between = (from: number | undefined, to: number | undefined) =>
        list(world, { [`${name}_from`]: from, [`${name}_to`]: to } as never);
      expect(between(200, undefined)).toEqual(["b", "c"]);
      expect(between(undefined, 200)).toEqual(["a"]);
      expect(between(100, 300)).toEqual(["a", "b"]);
      expect(between(101, 101)).toEqual([]);
    },
  );

  // proves: spec:list-status
  test("every status is found by its own code alone", async () => {
    const world = await worldOf(Object.fromEntries(STATUSES.map((status) => [status, { status }])));
    for (const status of STATUSES) {
      expect(list(world, { status: codeOf(status) })).toEqual([status]);
      expect(list(world, { status__ne: codeOf(status) })).toHaveLength(STATUSES.length - 1);
    }
  });
});

describe("listDocuments: order", () => {
  test("by each field, up and down", async () => {
    const world = await worldOf({
      a: { name: "1", status: "document.draft" },
      b: { name: "2", status: "document.sent" },
      c: { name: "3", status: "document.viewed" },
    });
    const { documents } = world.tenant.store;
    for (const [i, id] of ["a", "b", "c"].entries()) {
      const row = documents.get(id) as DocumentRow;
      const dates = Object.fromEntries(
        Object.keys(row).flatMap((name) => (/^(date_|expiration_date)/.test(name) ? [[name, 1000 * (i + 1)]] : [])),
      );
      documents.put({ ...row, ...dates });
    }
    for (const field of ORDER_FIELDS) {
      expect([field, list(world, { order_by: field })]).toEqual([field, ["a", "b", "c"]]);
      expect([field, list(world, { order_by: `-${field}` })]).toEqual([field, ["c", "b", "a"]]);
    }
  });

  test.each(["date_sent", "date_completed", "date_declined", "date_expiration"] as const)(
    "%s: what has none comes last, up and down",
    async (field) => {
      const member = field === "date_expiration" ? "expiration_date" : field;
      const world = await worldOf({ none: { [member]: null }, late: { [member]: 200 }, soon: { [member]: 100 } });
      expect(list(world, { order_by: field })).toEqual(["soon", "late", "none"]);
      expect(list(world, { order_by: `-${field}` })).toEqual(["late", "soon", "none"]);
    },
  );

  test("ties keep one order, by creation and then by id, in both directions and over every page", async () => {
    const world = await worldOf({ b: { name: "same" }, a: { name: "same" }, old: { name: "same", date_created: 1 } });
    for (const order_by of ["name", "-name", "date_sent", "-date_sent"] as const) {
      expect(list(world, { order_by })).toEqual(["old", "a", "b"]);
      expect([1, 2, 3].flatMap((page) => list(world, { order_by, count: 1, page }))).toEqual(["old", "a", "b"]);
    }
  });

  test("names are ordered by code unit, alike in every locale", async () => {
    const world = await worldOf({ b: { name: "b" }, B: { name: "B" }, ä: { name: "ä" } });
    expect(list(world)).toEqual(["B", "b", "ä"]);
  });
});

describe("listDocuments: pages", () => {
  test("pages hold all documents once, in order, and beyond the last there is nothing", async () => {
    const world = await worldOf(Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`d${String(i).padStart(2, "0")}`, {}])));
    const all = list(world);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (count) => {
        const pages = Array.from({ length: Math.ceil(25 / count) }, (_, i) => list(world, { count, page: i + 1 }));
        expect(pages.flat()).toEqual(all);
        for (const page of pages.slice(0, -1)) expect(page).toHaveLength(count);
        expect(list(world, { count, page: pages.length + 1 })).toEqual([]);
      }),
    );
  });

  // proves: spec:list-count-default, spec:list-order, spec:list-count-max
  test("listDocuments defaults to 50 of a page by date_status_changed, and takes 100 at most", async () => {
    const parts = Array.from({ length: 60 }, (_, i): [string, Part] => [
      `d${String(i).padStart(2, "0")}`,
      { date_status_changed: 100 - i },
    ]);
    const world = await worldOf(Object.fromEntries(parts));
    const answer = await world.call("listDocuments");
    expect(answer.body.results.map((row: { id: string }) => row.id)).toEqual(
      parts
        .map(([id]) => id)
        .reverse()
        .slice(0, 50),
    );
    expect((await world.call("listDocuments", { query: { count: 100 } })).body.results).toHaveLength(60);
    for (const query of [{ count: 101 }, { count: 0 }, { page: 0 }, { count: "x" }, { order_by: "colour" }, { status: 15 }])
      expect([query, (await world.call("listDocuments", { query: query as never })).status]).toEqual([query, 400]);
  });
});
