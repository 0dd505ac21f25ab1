/** Changes the data of a document in place, for a person who explores what a client does with other data. */
import * as z from "zod";
import { own } from "../../engine/core/maps.ts";
import { nearest } from "../../engine/core/text.ts";
import { invalid } from "../../engine/core/errors.ts";
import { lazy } from "../../engine/core/operation.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { fieldValue } from "../nouns/content/content.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import { requireDocument } from "../nouns/documents/row.ts";
import { putContent } from "../nouns/documents/transitions.ts";
import { toDocumentState } from "./document-state.ts";
import { verb } from "./operation.ts";
import { documentState } from "./views.ts";

const editInput = lazy(() =>
  z.strictObject({
    id: z.string().min(1).describe("id of a document"),
    name: z.string().min(1).optional(),
    fields: z
      .record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]))
      .optional()
      .describe("values by the name, id or uuid of a field"),
    tokens: z.record(z.string(), z.string()).optional().describe("values by the name of a token"),
    metadata: z.record(z.string(), z.string()).optional().describe("values by name; the others stay"),
    tags: z.array(z.string()).optional().describe("all tags"),
  }),
);

const ELSEWHERE = {
  tool: "an agent tests its own calls of updateDocument",
  command: "the inspector edits a document in place",
};

export const editVerbs = verbGroup("Admin: document edits", ELSEWHERE, [
  verb({
    name: "documents.edit",
    does: "Changes the data of a document in any status: its name, fields, tokens, metadata and tags. The status stays, and no event follows. No call of the service can do this after a send.",
    input: editInput,
    run: ({ tenant }, { id, name, fields = {}, tokens = {}, metadata, tags }) =>
      tenant.store.transaction(() => {
        const document = requireDocument(tenant.world, id);
        return putContent(tenant.world, {
          ...document,
          name: name ?? document.name,
          fields: withFields(document, fields),
          tokens: withTokens(document, tokens),
          metadata: { ...document.metadata, ...metadata },
          tags: tags ?? document.tags,
        });
      }),
    admin: {
      id: "adminEditDocument",
      route: "POST /__admin/documents/{id}/edit",
      answer: documentState,
      errors: [404],
      example: { path: "/__admin/documents/$document/edit", body: { metadata: { order: "43" } } },
      show: (document, { tenant }) => toDocumentState(tenant, document),
    },
  }),
]);

type Values = Readonly<Record<string, string | boolean | number | null>>;

/** @throws 400 for a field that the document lacks, or a value that the field cannot have */
function withFields({ fields }: DocumentRow, values: Values): DocumentRow["fields"] {
  const changed = new Map<string, Values[string]>();
  for (const [key, value] of Object.entries(values)) {
    const found = fields.filter((one) => [one.uuid, one.field_id, one.name].includes(key));
    if (found.length === 0)
      throw invalid({ [`fields.${key}`]: [unknown("field", key, fields)] }, `the document has no field ${key}`);
    for (const one of found) changed.set(one.uuid, value);
  }
  return fields.map((one) => {
    const value = changed.get(one.uuid);
    if (value === undefined) return one;
    if (!EDITABLE.includes(one.type))
      throw invalid({ [`fields.${one.name}`]: [`A field of the type ${one.type} cannot be edited.`] });
    return { ...one, value: fieldValue(one, value, `fields.${one.name}`) };
  });
}

/** A person cannot type a signature or a file. */
export const EDITABLE: readonly string[] = ["text", "date", "checkbox", "dropdown", "radio_buttons"];

function withTokens({ tokens }: DocumentRow, values: Readonly<Record<string, string>>): DocumentRow["tokens"] {
  for (const name of Object.keys(values))
    if (!tokens.some((one) => one.name === name))
      throw invalid({ [`tokens.${name}`]: [unknown("token", name, tokens)] }, `the document has no token ${name}`);
  return tokens.map((one) => ({ ...one, value: own(values, one.name) ?? one.value }));
}

function unknown(noun: string, name: string, known: readonly { name: string }[]): string {
  const near = nearest(
    name,
    known.map((one) => one.name),
  );
  return `The document has no ${noun} "${name}".${near === undefined ? "" : ` Did you mean "${near}"?`}`;
}
