/** Tests that entries of a list pair by their other members when one side shows another kind of id. */
import { describe, expect, test } from "vitest";
import { Ties } from "../../../src/tools/compare/id-map.ts";
import { matchLists } from "../../../src/tools/compare/match-lists.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { twoSides } from "../../support/two-sides.ts";

const SHORT = "R2kZpXw9TnVb4HqLs7MyCd";
const OTHER = "Q7nK2mVtR4xLp9ZsHc3YdW";
const person = (id: unknown, email: string) => ({ id, email, first_name: "Ivo", recipient_type: "signer" });

describe("ids of different forms", () => {
  test.each<[string, unknown]>([
    ["an integer", 40_961],
    ["a UUID", "6b1d7c2e-4f3a-4c58-9e0d-000000000001"],
    ["a number as text", "40961"],
    ["a word", "first"],
  ])("an entry whose id is %s pairs with the entry of the same email, although that id has a tie", (_, id) => {
    const ties = new Ties();
    ties.tie(OTHER, SHORT);
    const real = [person(id, "b@client.example"), person(id, "a@client.example")];
    const double = [person(SHORT, "a@client.example"), person("S9nK2mVtR4xLp9ZsHc3YdW", "b@client.example")];
    const { pairs, realOnly, doubleOnly } = matchLists(real, double, { ties, ofAccount: false });
    expect({ pairs, realOnly, doubleOnly }).toEqual({
      pairs: [
        [0, 1],
        [1, 0],
      ],
      realOnly: [],
      doubleOnly: [],
    });
  });

  test("two ids of one form with another tie still belong to different things", () => {
    const ties = new Ties();
    ties.tie(OTHER, SHORT);
    const id = "T3nK2mVtR4xLp9ZsHc3YdW";
    const { pairs } = matchLists([person(id, "a@client.example")], [person(SHORT, "a@client.example")], {
      ties,
      ofAccount: false,
    });
    expect(pairs).toEqual([]);
  });

  test("a client that reads the details before it sends still sees the difference send.recipient_id", async () => {
    const sides = await twoSides({ real: { assume: ["send.recipient_id=integer"] } });
    const made = await sides.call("createDocument", {
      body: { name: "A", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] },
    });
    const params = { id: made.body.id };
    await sides.advance("5s");
    await sides.call("detailsDocument", { params });
    await sides.call("sendDocument", { params, body: { silent: true } });
    await sides.call("detailsDocument", { params });
    expect(sides.comparison.report().differences).toMatchObject([
      { operation: "sendDocument", kind: "type", pointer: "/recipients/0/id", assumption: "send.recipient_id" },
    ]);
    expect(sides.comparison.report().differences).toHaveLength(1);
  });
});
