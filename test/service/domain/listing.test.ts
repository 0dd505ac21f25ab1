import { default as fc } from "fast-check";
import { describe, expect, test } from "vitest";
import { STATUSES, codeOf } from "../../../src/service/nouns/documents/status-machine.ts";
import type { DocumentQuery } from "../../../src/service/nouns/documents/list.ts";
import { ORDER_FIELDS, listDocuments } from "../../../src/service/nouns/documents/list.ts";
import { WORKSPACE } from "../../support/people.ts";
import { aDraft, succeed } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";
import type { DocumentRow } from "../../../src/service/nouns/documents/row.ts";
import { law } from "../../support/law.ts";

const world = useWorld();

type Part = Omit<Partial<DocumentRow>, "internal"> & { deleted?: boolean };

/** A world that contains only the documents `parts`. Each is a real document with some replaced members. */
async function worldOf(parts: Record<string, Part>): Promise<TestWorld> {
  const { documents } = world.tenant.store;
  const model = documents.get(await aDraft(world)) as DocumentRow;
  documents.delete(model.id);
  for (const [id, { deleted = false, ...part }] of Object.entries(parts)) {
    const internal = { ...model.internal, deleted_at: deleted ? 1 : null };
    documents.put({ ...model, id, name: id, ref_number: "", ...part, internal });
  }
  return world;
}

function list(world: TestWorld, filter: Partial<DocumentQuery> = {}): string[] {
  const usual = { order_by: "name", count: 50, page: 1 } as const;
  return listDocuments(world.tenant.world, { ...usual, ...filter }).map((row) => row.id);
}

describe("listDocuments: order", () => {
  test("equal values are ordered by creation and then by id, in both directions and across pages", async () => {
    const world = await worldOf({ b: { name: "same" }, a: { name: "same" }, old: { name: "same", date_created: 1 } });
    for (const order_by of ["name", "-name", "date_sent", "-date_sent"] as const) {
      expect(list(world, { order_by })).toEqual(["old", "a", "b"]);
      expect([1, 2, 3].flatMap((page) => list(world, { order_by, count: 1, page }))).toEqual(["old", "a", "b"]);
    }
  });
});

describe("listDocuments: pages", () => {
  test("listDocuments defaults to 50 documents ordered by date_status_changed, and accepts a count of at most 100", async () => {
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

describe("listDocuments: random documents, random filters", () => {
  const date = fc.integer({ min: 0, max: 40 });
  const never = fc.option(date);
  const part = fc.record({
    name: fc.constantFrom("Alpha NDA", "alpha offer", "Beta NDA", "Żółć", "B"),
    ref_number: fc.constantFrom("ABCDE-FGHIJ", "NDAXX-12345"),
    status: fc.constantFrom(...STATUSES.slice(0, 3)),
    workspace_id: fc.constantFrom("", "", "", "another"),
    template: fc.constantFrom(null, { id: "t1", name: "T" }, { id: "t2", name: "T" }),
    form_id: fc.constantFrom(null, "form1"),
    folder_uuid: fc.constantFrom(null, "f1", "f2"),
    owner: fc.constantFrom("m1", "m2"),
    contact: fc.constantFrom("c1", "c2"),
    tags: fc.subarray(["red", "blue", "=:"]),
    metadata: fc.constantFrom<Record<string, string>>({}, { team: "sales" }, { team: "sales", "a=b": "c" }, { a: "b=c" }),
    deleted: fc.constantFrom(false, false, false, true),
    date_created: date,
    date_modified: date,
    date_status_changed: date,
    date_sent: never,
    date_completed: never,
    expiration_date: never,
  });
  const maybe = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
  const code = fc.constantFrom(...STATUSES.slice(0, 4).map(codeOf));
  const filter: fc.Arbitrary<DocumentQuery> = fc.record({
    q: maybe(fc.constantFrom("", "nda", "A", "żół", "fghij", "alpha nda", "no")),
    status: maybe(fc.oneof(fc.tuple(code), fc.tuple(code, code))),
    status__ne: maybe(fc.oneof(fc.tuple(code), fc.tuple(code, code))),
    template_id: maybe(fc.constantFrom("t1", "t3")),
    form_id: maybe(fc.constant("form1")),
    folder_uuid: maybe(fc.constant("f1")),
    membership_id: maybe(fc.constantFrom(["m1"], ["m2", "m1"], [])),
    contact_id: maybe(fc.constant("c1")),
    id: maybe(fc.constantFrom("d7", "nobody")),
    tag: maybe(fc.constantFrom("red", "=:", "Red")),
    metadata: maybe(
      fc.constantFrom([["team", "sales"] as const], [["a", "b=c"] as const, ["team", "sales"] as const], [["a=b", "c"] as const]),
    ),
    deleted: maybe(fc.boolean()),
    created_from: maybe(date),
    created_to: maybe(date),
    completed_from: maybe(date),
    completed_to: maybe(date),
    modified_from: maybe(date),
    modified_to: maybe(date),
    order_by: fc.constantFrom(...ORDER_FIELDS.flatMap((field) => [field, `-${field}`] as const)),
    count: fc.constantFrom(1, 10, 100),
    page: fc.constantFrom(1, 1, 2, 4),
  });

  function oracle(rows: readonly DocumentRow[], wanted: DocumentQuery, workspace: string): string[] {
    const is = <T>(asked: T | undefined, test: (asked: T) => boolean) => asked === undefined || test(asked);
    const within = (at: number | null, from: number | undefined, to: number | undefined) =>
      (from === undefined && to === undefined) || (at !== null && at >= (from ?? at) && (to === undefined || at < to));
    const q = wanted.q?.toLowerCase();
    const found = rows.filter(
      (row) =>
        row.workspace_id === workspace &&
        (row.internal.deleted_at !== null) === (wanted.deleted ?? false) &&
        is(q, (text) => row.name.toLowerCase().includes(text) || row.ref_number.toLowerCase().includes(text)) &&
        is(wanted.status, (statuses) => statuses.includes(codeOf(row.status))) &&
        is(wanted.status__ne, (statuses) => !statuses.includes(codeOf(row.status))) &&
        is(wanted.template_id, (id) => row.template?.id === id) &&
        is(wanted.form_id, (id) => row.form_id === id) &&
        is(wanted.folder_uuid, (id) => row.folder_uuid === id) &&
        is(wanted.membership_id, (ids) => ids.includes(row.owner)) &&
        is(wanted.contact_id, (id) => row.recipients.some((one) => one.contact_id === id)) &&
        is(wanted.id, (id) => row.id === id) &&
        is(wanted.tag, (tag) => row.tags.includes(tag)) &&
        is(wanted.metadata, (pairs) => pairs.every(([key, value]) => row.metadata[key] === value)) &&
        within(row.date_created, wanted.created_from, wanted.created_to) &&
        within(row.date_completed, wanted.completed_from, wanted.completed_to) &&
        within(row.date_modified, wanted.modified_from, wanted.modified_to),
    );
    const field = wanted.order_by.replace("-", "");
    const keyOf = (row: DocumentRow) => row[(field === "date_expiration" ? "expiration_date" : field) as "name"] as string | null;
    const up = wanted.order_by === field ? 1 : -1;
    const plain = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
    return found
      .sort((a, b) => {
        const [left, right] = [keyOf(a), keyOf(b)];
        if (left === null || right === null) {
          if (left !== right) return left === null ? 1 : -1;
        } else if (left !== right) return up * plain(left, right);
        return plain(a.date_created, b.date_created) || plain(a.id, b.id);
      })
      .slice((wanted.page - 1) * wanted.count, wanted.page * wanted.count)
      .map((row) => row.id);
  }

  test("listDocuments equals a plain filter and sort of all rows, after random changes and rollbacks", async () => {
    const world = await worldOf({ model: {} });
    const { store } = world.tenant;
    const { documents } = store;
    const model = documents.get("model") as DocumentRow;
    const put = (
      id: string,
      { deleted, contact, workspace_id, ...rest }: typeof part extends fc.Arbitrary<infer T> ? T : never,
    ) =>
      documents.put({
        ...model,
        ...rest,
        id,
        workspace_id: workspace_id || model.workspace_id,
        recipients: model.recipients.map((one) => ({ ...one, contact_id: contact })),
        internal: { ...model.internal, deleted_at: deleted ? 1 : null },
      });
    documents.delete("model");
    for (const [i, one] of fc.sample(part, { numRuns: 700 }).entries()) put(`d${i}`, one);
    const id = fc.integer({ min: 0, max: 720 }).map((n) => `d${n}`);
    const change = fc.oneof({ weight: 4, arbitrary: fc.tuple(id, part) }, { weight: 1, arbitrary: id });
    const make = (one: string | Parameters<typeof put>) => void (typeof one === "string" ? documents.delete(one) : put(...one));
    const agree = (filters: readonly DocumentQuery[]) => {
      for (const one of filters) expect([one, list(world, one)]).toEqual([one, oracle(documents.all(), one, model.workspace_id)]);
    };
    law(
      fc.property(
        fc.array(change, { maxLength: 8 }),
        fc.boolean(),
        fc.array(filter, { minLength: 4, maxLength: 8 }),
        (changes, isUndone, filters) => {
          agree(filters.slice(0, 2));
          const run = () =>
            store.transaction(() => {
              for (const one of changes) make(one);
              agree(filters.slice(0, 2));
              if (isUndone) throw new Error("taken back");
            });
          if (isUndone) expect(run).toThrow("taken back");
          else run();
          agree(filters);
        },
      ),
      { numRuns: 60 },
    );
  });
});

const seat = (name: string) => ({
  user: { email: `${name}@northpeak.example`, first_name: name, last_name: "Vo" },
  workspaces: [{ workspace_id: WORKSPACE, role: "Member" }],
  license: "eSign",
});
const named = (name: string): object => ({ name });
const hook = (name: string) => ({ name, url: "http://127.0.0.1:9/", triggers: ["document_updated"] });

test.each([
  ["listTemplates", "createTemplate", named],
  ["listContentLibraryItems", "createContentLibraryItem", named],
  ["listDocumentFolders", "createDocumentFolder", named],
  ["listTemplateFolders", "createTemplateFolder", named],
  ["getWorkspacesList", "createWorkspace", named],
  ["listWebhookSubscriptions", "createWebhookSubscription", hook],
  ["listUsers", "createUser", seat],
  ["listMembers", "createUser", seat],
] as const)("%s shows the oldest first, also among those of one instant of a frozen clock", async (list, create, bodyOf) => {
  const names = ["zebra", "ant", "monkey", "bear", "lion"];
  for (const name of names) await succeed(world.call(create, { body: bodyOf(name) as never }));
  const { results, items = results } = (await succeed(world.call(list))).body;
  expect(items.map((one: Record<string, string>) => one.name ?? one.first_name).slice(-names.length)).toEqual(names);
});
