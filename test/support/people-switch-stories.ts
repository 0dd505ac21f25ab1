/** Stories of the switches about recipients, roles and fields. */
import type { Case } from "./switch-stories.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "./stories.ts";
import { aPdf } from "./pdf-texts.ts";
import type { Answer, TestWorld } from "./world.ts";

async function valuesOf(world: TestWorld, id: string): Promise<Record<string, unknown>> {
  const { body } = await succeed(world.call("detailsDocument", { params: { id } }));
  return Object.fromEntries(body.fields.map((one: { name: string; value: unknown }) => [one.name, one.value]));
}

const status = ({ status }: Answer) => status;

export const PEOPLE_CASES = {
  "create.unknown_template": {
    async observe(world) {
      const body = { template_uuid: "none", recipients: [CLIENT] };
      const { status, body: answer } = await world.call("createDocument", { body });
      return [status, answer.detail];
    },
    expected: [
      [400, [400, "Template is not available."]],
      [404, [404, "Template is not available."]],
    ],
    isNamed: true,
  },
  "details.role_of_uploads": {
    async observe(world) {
      const parts = { file: await aPdf(["Terms"]), data: { name: "Terms", recipients: [CLIENT] } };
      const { id } = (await succeed(world.call("createDocumentFromUpload", { parts }))).body;
      await world.advance("5s");
      const { body } = await succeed(world.call("detailsDocument", { params: { id } }));
      return [body.recipients[0].role, body.recipients[0].roles];
    },
    expected: [
      ["empty", ["", ["Client"]]],
      ["name", ["Client", ["Client"]]],
    ],
  },
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
  "recipients.limit": {
    async observe(world) {
      const others = Array.from({ length: 50 }, (_, i) => ({ email: `copy${i}@client.example` }));
      const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT, ...others] };
      return status(await world.call("createDocument", { body }));
    },
    expected: [
      [50, 400],
      ["none", 201],
    ],
    isNamed: true,
  },
  "sections.recipients": {
    async observe(world) {
      const id = await aDraft(world);
      const parts = { file: await aPdf(["Annex"]), data: { name: "Annexes" } };
      return status(await world.call("uploadSectionWithUpload", { params: { document_id: id }, parts }));
    },
    expected: [
      ["optional", 201],
      ["required", 400],
    ],
    isNamed: true,
  },
  "send.unassigned_signatures": {
    async observe(world) {
      const id = await aDraft(world, { template: "twoSigners", body: { recipients: [CLIENT] } });
      return status(await world.call("sendDocument", { params: { id }, body: {} }));
    },
    expected: [
      ["refuse", 400],
      ["allow", 200],
    ],
    isNamed: true,
  },
} satisfies Record<string, Case>;
