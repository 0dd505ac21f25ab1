/** Switches about recipients, roles and fields. */
import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { switchRecord, vendorSkills } from "./entry.ts";

export const peopleSwitches: readonly AssumptionRecord[] = [
  switchRecord("fields.keys", {
    statement: "Only the merge_field of a field is a key of fields. The service ignores other keys when it creates a document.",
    operations: ["createDocument", "updateDocument", "uploadSection"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "merge_field",
        text: "The vendor's skill files say that the service ignores name, field_id and uuid. Its staff tried it in August 2026.",
      },
      {
        kind: "recorded",
        for: "merge_field",
        text: "Two public projects tried to fill a field without a merge field by its field_id. It stayed empty.",
      },
      { kind: "guess", for: "any", text: "Earlier versions of docdouble also took the name and the field_id of a field." },
    ],
    seen: [
      { date: "2026-08-06", by: "vendor", account: "vendor", source: "PandaDoc/mcp-server-guide, folder skills" },
      { date: "2026", by: "public", account: null, source: "two public projects that fill fields by field_id" },
    ],
  }),
  switchRecord("fields.unknown_key_update", {
    statement: "An update refuses keys of fields that the document does not have.",
    operations: ["updateDocument"],
    probeable: true,
    sources: [
      {
        kind: "recorded",
        for: "refuse",
        text: "The vendor's skill files quote the refusal: There are no such fields in the document.",
      },
      { kind: "guess", for: "ignore", text: "A creation ignores such keys, so an update could do the same." },
    ],
    seen: [vendorSkills({ live: true })],
  }),
];
