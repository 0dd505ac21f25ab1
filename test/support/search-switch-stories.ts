/** Stories of the switches about searches, lists and records. */
import { aPdf } from "./pdf-texts.ts";
import type { Case } from "./switch-stories.ts";
import { aCompletedDocument, aDraft, succeed } from "./stories.ts";

export const SEARCH_CASES = {
  "audit_trail.access": {
    async observe(world) {
      const document_id = await aDraft(world);
      return (await world.call("listDocumentAuditTrail", { params: { document_id } })).status;
    },
    expected: [
      ["given", 200],
      ["refuse", 403],
    ],
    isNamed: true,
  },
  "list.repeated_status": {
    async observe(world) {
      await aDraft(world);
      await aCompletedDocument(world);
      const { status, body } = await world.call("listDocuments", { query: { status: ["0", "2"] } });
      return status === 200 ? body.results.map((one: { status: string }) => one.status).sort() : [status, body.detail];
    },
    expected: [
      ["any_of", ["document.completed", "document.draft"]],
      ["refuse", [400, { status: ["A valid integer is required."] }]],
    ],
    isNamed: true,
  },
  "templates.search": {
    async observe(world) {
      const data = { name: "Purchase contract" };
      await succeed(world.call("createTemplateWithUpload", { parts: { file: await aPdf(["Liability of the seller"]), data } }));
      await world.advance("5s");
      const search = async (q: string) => (await world.call("listTemplates", { query: { q } })).body.results.length;
      return [await search("seller purchase"), await search("chase con")];
    },
    expected: [
      ["fuzzy", [1, 1]],
      ["name", [0, 1]],
    ],
    isNamed: true,
  },
} satisfies Record<string, Case>;
