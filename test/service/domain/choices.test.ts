import { describe, expect, test } from "vitest";
import { OFFER } from "../../support/choice-offer.ts";
import { lab } from "../../support/lab.ts";
import { aSentDocument, simulate, statusOf, succeed } from "../../support/stories.ts";
import type { TestWorld } from "../../support/world.ts";

async function offer(): Promise<{ world: TestWorld; id: string }> {
  const world = await lab(OFFER);
  return { world, id: await aSentDocument(world, { body: { template_uuid: "TemplateChoicexxxxxxxx" } }) };
}

async function sums(world: TestWorld, id: string): Promise<unknown> {
  const { pricing, grand_total } = (await succeed(world.call("detailsDocument", { params: { id } }))).body;
  return [pricing.tables[0].summary.total, pricing.quotes[0].total, grand_total.amount];
}

describe("adminSimulate", () => {
  test("fill lets a signer choose optional rows, sections, one of several options and quantities, and updates each sum", async () => {
    const { world, id } = await offer();
    expect(await sums(world, id)).toEqual(["120", "450", "570"]);
    const pricing = {
      Extra: { selected: true },
      SEATS: { qty: 5 },
      Support: { selected: true },
      L: { selected: true },
      ON: { qty: "2.5" },
    };
    await succeed(simulate(world, id, "fill", { pricing }));
    expect(await sums(world, id)).toEqual(["180", "1097", "1277"]);
    const { pricing: shown } = (await world.call("detailsDocument", { params: { id } })).body;
    expect(
      shown.tables[0].items.map((one: { qty: string; options: { optional_selected: boolean } }) => [
        one.qty,
        one.options.optional_selected,
      ]),
    ).toEqual([
      ["1", expect.any(Boolean)],
      ["1", true],
      ["5", expect.any(Boolean)],
    ]);
    expect(shown.quotes[0].sections[1].items.map((one: { options: { selected: boolean } }) => one.options.selected)).toEqual([
      false,
      true,
    ]);

    await succeed(simulate(world, id, "sign", { pricing: { Extra: { selected: false }, S: { selected: true } } }));
    expect(await statusOf(world, id)).toBe("document.completed");
    expect(await sums(world, id)).toEqual(["150", "1057", "1207"]);
  });

  test.each([
    ["an unknown item", { Nothing: { selected: true } }, { Nothing: ["There is no such item."] }],
    ["an empty name", { "": { selected: true } }, { "": ["There is no such item."] }],
    [
      "a choice for an item that is not optional",
      { Base: { selected: false } },
      { Base: ["This item cannot be chosen or left out."] },
    ],
    ["a fixed quantity", { Extra: { qty: 2 } }, { Extra: ["The quantity of this item cannot be changed."] }],
    ["a quantity that is not a number", { Seats: { qty: "many" } }, { Seats: ["A valid number is required."] }],
    ["a negative quantity", { Seats: { qty: "-1" } }, { Seats: ["A valid number is required."] }],
  ])("fill refuses %s, and changes nothing", async (_, pricing, detail) => {
    const { world, id } = await offer();
    const answer = await world.admin("POST", `/documents/${id}/simulate/fill`, {
      pricing: { Extra: { selected: true }, ...pricing },
    });
    expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 400, detail });
    expect(answer.body.why.length).toBeGreaterThan(10);
    expect(await sums(world, id)).toEqual(["120", "450", "570"]);
  });

  test("fill is refused after the signer has signed, and an actor of a scenario chooses like a signer", async () => {
    const actor = {
      name: "pat",
      on: "document.sent",
      steps: [{ after: "1h", do: "sign", with: { pricing: { Seats: { qty: 9 } } } }],
    } as const;
    const world = await lab({ ...OFFER, actors: [actor] });
    const id = await aSentDocument(world, { body: { template_uuid: "TemplateChoicexxxxxxxx" } });
    await world.advance("1h");
    expect([await statusOf(world, id), await sums(world, id)]).toEqual(["document.completed", ["190", "450", "640"]]);
    const late = await world.admin("POST", `/documents/${id}/simulate/fill`, { pricing: { Seats: { qty: 1 } } });
    expect({ status: late.status, body: late.body }).toMatchObject({ status: 409, body: { status: "document.completed" } });
    expect(await sums(world, id)).toEqual(["190", "450", "640"]);
  });
});
