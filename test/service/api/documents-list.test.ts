import { describe, expect, test } from "vitest";
import { aDraft } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const ids = async (world: TestWorld, query: Record<string, string | number | boolean | readonly string[]>, key?: string) => {
  const answer = await world.call("listDocuments", { query, ...(key === undefined ? {} : { key }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.results.map((one: { id: string }) => one.id);
};

describe("listDocuments", () => {
  test("listDocuments shows nine members of each document, and hides deleted documents unless asked", async () => {
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

  test("listDocuments refuses template_id together with form_id", async () => {
    const { status, body } = await world.call("listDocuments", { query: { template_id: "a", form_id: "b" } });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        type: "request_error",
        detail: { non_field_errors: ["Either template_id or form_id should be added to query."] },
      },
    });
  });
});
