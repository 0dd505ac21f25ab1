import { describe, expect, test } from "vitest";
import { aDraft, anUploadedDocument, aSentDocument, CLIENT, DIRECTOR, simulate, TEMPLATES } from "../../support/stories.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";

const ids = async (world: TestWorld, query: Record<string, string | number | boolean | readonly string[]>, key?: string) => {
  const answer = await world.call("listDocuments", { query, ...(key === undefined ? {} : { key }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.results.map((one: { id: string }) => one.id);
};

const named = (name: string) => ({ body: { name } });

describe("listDocuments", () => {
  test("listDocuments shows nine members of each document, and hides deleted documents unless asked", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    const gone = await aDraft(world);
    await world.call("deleteDocument", { params: { id: gone } });
    const answer = await world.call("listDocuments");
    expect(answer).toMatchObject({ status: 200, headers: expect.anything() });
    expect(answer.body).toEqual({
      results: [
        {
          id,
          name: "Service agreement",
          status: "document.draft",
          date_created: "2026-03-02T09:00:00.000000Z",
          date_modified: expect.stringMatching(/^2026-03-02T09:00:0[3-5]/),
          date_completed: null,
          date_sent: null,
          expiration_date: null,
          version: "2",
        },
      ],
    });
    expect(await ids(world, { deleted: true })).toEqual([gone]);
    expect(await ids(world, { deleted: "no" })).toEqual([id]);
  });

  test("listDocuments filters by status, status__ne, template, tag, owner, folder, id, q and metadata", async () => {
    const world = await testWorld();
    const member = world.tenant.store.members.all()[1]?.id as string;
    const folder = world.tenant.store.folders.all().find((one) => one.kind === "document")?.id as string;
    const draft = await aDraft(world, {
      body: { name: "Plain", tags: ["north", "south"], metadata: { lead: "7", "a b": "c=d" } },
    });
    const sent = await aSentDocument(world, { template: "pricing", body: { name: "Priced", folder_uuid: folder } });
    const owned = await aDraft(world, {
      body: { name: "Owned by another", owner: { membership_id: member }, metadata: { lead: "8" } },
    });
    const all = [draft, sent, owned];
    const sorted = async (query: Parameters<typeof ids>[1]) => (await ids(world, query)).sort();
    expect(await sorted({})).toEqual([...all].sort());
    expect(await ids(world, { status: 1 })).toEqual([sent]);
    expect(await sorted({ status__ne: 1 })).toEqual([draft, owned].sort());
    expect(await ids(world, { status: 1, status__ne: 1 })).toEqual([]);
    expect(await ids(world, { template_id: TEMPLATES.pricing })).toEqual([sent]);
    expect(await ids(world, { form_id: "no-such-form" })).toEqual([]);
    expect(await ids(world, { tag: "south" })).toEqual([draft]);
    expect(await ids(world, { tag: "sou" })).toEqual([]);
    expect(await ids(world, { membership_id: member })).toEqual([owned]);
    expect((await ids(world, { membership_id: [member, "MemberNoraxxxxxxxxxxxx"] })).sort()).toEqual([...all].sort());
    expect(await ids(world, { folder_uuid: folder })).toEqual([sent]);
    expect(await ids(world, { id: owned })).toEqual([owned]);
    expect(await ids(world, { id: "unknown" })).toEqual([]);
    expect(await ids(world, { q: "owned BY" })).toEqual([owned]);
    expect(await ids(world, { q: "Pl" })).toEqual([draft]);
    const { ref_number } = (await world.call("detailsDocument", { params: { id: sent } })).body;
    expect(await ids(world, { q: ref_number.slice(3, 14).toLowerCase() })).toEqual([sent]);
    expect(await ids(world, { metadata: "metadata_lead=7" })).toEqual([draft]);
    expect(await ids(world, { metadata: ["metadata_lead=7", "metadata_a b=c=d"] })).toEqual([draft]);
    expect(await ids(world, { metadata: ["metadata_lead=7", "metadata_a b=x"] })).toEqual([]);
    expect(await ids(world, { metadata_lead: "8" })).toEqual([owned]);
  });

  test("listDocuments filters by the contact of a recipient or an approver", async () => {
    const world = await testWorld();
    const both = await aDraft(world, { template: "twoSigners" });
    await aDraft(world);
    const { recipients } = (await world.call("detailsDocument", { params: { id: both } })).body;
    const director = recipients.find((one: { email: string }) => one.email === DIRECTOR.email);
    expect(await ids(world, { contact_id: director.contact_id })).toEqual([both]);
    expect(await ids(world, { contact_id: "stranger" })).toEqual([]);
    const approved = await aDraft(world, { template: "approval" });
    const sam = await world.call("createContact", { body: { email: "sam.ode@northpeak.example" } });
    expect(await ids(world, { contact_id: sam.body.id })).toEqual([approved]);
  });

  test("listDocuments includes the `from` and excludes the `to` of created, modified and completed ranges", async () => {
    const world = await testWorld();
    const first = await anUploadedDocument(world, named("First"));
    await world.advance("1h");
    const second = await anUploadedDocument(world, named("Second"));
    await world.advance("1h");
    const at = "2026-03-02T10:00:00Z";
    expect(await ids(world, { created_from: at })).toEqual([second]);
    expect(await ids(world, { created_to: at })).toEqual([first]);
    expect(await ids(world, { created_from: "2026-03-02", created_to: "2026-03-02T12:00:00+02:00" })).toEqual([first]);
    expect(await ids(world, { completed_from: "2020-01-01" })).toEqual([]);
    for (const id of [first, second]) await world.call("sendDocument", { params: { id } });
    await simulate(world, first, "sign");
    await world.advance("1h");
    await simulate(world, second, "sign");
    expect(await ids(world, { completed_from: "2026-03-02T11:00:00Z", completed_to: "2026-03-02T12:00:00Z" })).toEqual([first]);
    expect(await ids(world, { completed_from: "2026-03-02T12:00:00Z" })).toEqual([second]);
    expect(await ids(world, { modified_from: "2026-03-02T12:00:00Z" })).toEqual([second]);
    expect(await ids(world, { modified_to: "2026-03-02T12:00:00Z" })).toEqual([first]);
  });

  test("listDocuments refuses each wrong parameter with the service's message", async () => {
    const world = await testWorld();
    const query = {
      count: 101,
      page: 0,
      order_by: "size",
      created_from: "yesterday",
      created_to: "2026-02-30",
      completed_from: "x",
      completed_to: "x",
      modified_from: "x",
      modified_to: "x",
      deleted: "perhaps",
      metadata: "lead=7",
      status: "document.draft",
      status__ne: 15,
    };
    const date = [
      "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].",
    ];
    // No name contains a NUL. Without this refusal, the query would match every document.
    expect(await world.call("listDocuments", { query: { q: "\0" } })).toMatchObject({
      status: 400,
      body: { type: "request_error", detail: { q: ["Null characters are not allowed."] } },
    });
    const answer = await world.call("listDocuments", { query });
    expect(answer.status).toBe(400);
    expect(answer.body.type).toBe("request_error");
    const { metadata, ...detail } = answer.body.detail;
    expect(detail).toEqual({
      count: ["Ensure this value is less than or equal to 100."],
      page: ["Ensure this value is greater than or equal to 1."],
      order_by: ["value is not a valid choice."],
      created_from: date,
      created_to: date,
      completed_from: date,
      completed_to: date,
      modified_from: date,
      modified_to: date,
      deleted: ["Must be a valid boolean."],
      status: ["A valid integer is required."],
      status__ne: ["value is not a valid choice."],
    });
    // The schema parses metadata only when all other parameters are valid.
    expect(metadata).toBeUndefined();
    for (const metadata of ["opportunity_lead=7", "metadata_=7", "metadata_lead"])
      expect(await world.call("listDocuments", { query: { metadata } })).toMatchObject({
        status: 400,
        body: { type: "request_error", detail: { metadata: ["Metadata filter should have the form metadata_<key>=<value>."] } },
      });
    expect(await world.call("listDocuments", { query: { count: "ten" } })).toMatchObject({
      status: 400,
      body: { type: "request_error", detail: { count: ["A valid integer is required."] } },
    });
  });

  test("listDocuments refuses template_id together with form_id", async () => {
    const world = await testWorld();
    const { status, body } = await world.call("listDocuments", { query: { template_id: "a", form_id: "b" } });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        type: "request_error",
        detail: { non_field_errors: ["Either template_id or form_id should be added to query."] },
      },
    });
  });

  test("listDocuments hides documents of another tenant, and ignores unknown parameters", async () => {
    const world = await testWorld();
    const id = await aDraft(world, { body: { tags: ["t"], recipients: [CLIENT] } });
    expect(await ids(world, { id }, "test-other")).toEqual([]);
    expect(await ids(world, { tag: "t" }, "test-other")).toEqual([]);
    expect(await ids(world, { tag: "t", format: "json" })).toEqual([id]);
  });
});
