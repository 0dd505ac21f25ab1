/** Stories of the switches about recipients, roles and fields. */
import type { Case } from "./switch-stories.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "./stories.ts";
import type { TestWorld } from "./world.ts";

async function valuesOf(world: TestWorld, id: string): Promise<Record<string, unknown>> {
  const { body } = await succeed(world.call("detailsDocument", { params: { id } }));
  return Object.fromEntries(body.fields.map((one: { name: string; value: unknown }) => [one.name, one.value]));
}

export const PEOPLE_CASES = {
  "fields.keys": {
    async observe(world) {
      const fields = { text1: { value: "by id" } };
      const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT], fields };
      const made = await succeed(world.call("createDocument", { body }));
      await world.advance("5s");
      return (await valuesOf(world, made.body.id)).Company;
    },
    expected: [
      ["merge_field", ""],
      ["any", "by id"],
    ],
  },
  "fields.unknown_key_update": {
    async observe(world) {
      const id = await aDraft(world);
      const answer = await world.call("updateDocument", { params: { id }, body: { fields: { Compny: { value: "Blank" } } } });
      return [answer.status, answer.body?.detail];
    },
    expected: [
      ["refuse", [400, "There are no such fields in the document: Compny"]],
      ["ignore", [204, undefined]],
    ],
    isNamed: true,
  },
} satisfies Record<string, Case>;
