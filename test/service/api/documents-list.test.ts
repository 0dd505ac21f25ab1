import { describe, expect, test } from "vitest";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

describe("listDocuments", () => {
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
