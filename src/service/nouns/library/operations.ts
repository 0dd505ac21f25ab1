import * as z from "zod";
import { group, lazy } from "../../../engine/core/operation.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import { pollConversion } from "../content/file-conversion.ts";
import { itemDetails, listed } from "../templates/templates.ts";
import * as inputs from "./items.ts";
import { createLibraryItem, libraryConversion, listLibraryItems, requireLibraryItem, libraryStatus } from "./items.ts";
import { appendLibraryItem } from "./placement.ts";

const mapping = () => z.array(z.strictObject({ original_name: z.string(), new_name: z.string() }));

const appended = lazy(() =>
  z.strictObject({
    cli: z.strictObject({
      id: z.string(),
      pages: z.array(z.strictObject({ index: z.number().int(), name: z.string().nullable() })),
    }),
    block_mapping: z.strictObject({ tables: mapping(), pricing_tables: mapping(), images: mapping(), texts: mapping() }),
  }),
);

export const contentLibraryGroup = group("Content Library Items", [
  operation({
    id: "listContentLibraryItems",
    route: "GET /public/v1/content-library-items",
    query: inputs.listQuery,
    responses: { 200: listed.results },
    errors: [400, 401, 429],
    handle: ({ query }, world) => ok({ results: listLibraryItems(world, query).map(listed.of) }),
  }),
  operation({
    id: "createContentLibraryItem",
    route: "POST /public/v1/content-library-items",
    body: inputs.createRequest,
    responses: { 201: libraryStatus },
    errors: [400, 401, 403, 429],
    invalidType: "validation_error",
    limits: "docdouble keeps the text of a DOCX or RTF, but not its layout. DOC files end in cli.ERROR.",
    handle: ({ body }, world) => created(libraryStatus.of(createLibraryItem(world, body))),
  }),
  operation({
    id: "createContentLibraryItemFromUpload",
    route: "POST /public/v1/content-library-items?upload",
    body: inputs.uploadRequest,
    bodyKind: "multipart",
    responses: { 201: libraryStatus },
    errors: [400, 401, 403, 429],
    invalidType: "validation_error",
    limits: "docdouble keeps the text of a DOCX or RTF, but not its layout. DOC files end in cli.ERROR.",
    handle: ({ body }, world) => created(libraryStatus.of(createLibraryItem(world, body.data ?? {}, body.file))),
  }),
  operation({
    id: "statusContentLibraryItem",
    route: "GET /public/v1/content-library-items/{id}",
    responses: { 200: libraryStatus },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => {
      pollConversion(world, libraryConversion, requireLibraryItem(world, params.id).id);
      return ok(libraryStatus.of(requireLibraryItem(world, params.id)));
    },
  }),
  operation({
    id: "detailsContentLibraryItem",
    route: "GET /public/v1/content-library-items/{id}/details",
    responses: { 200: itemDetails },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok(itemDetails.of(requireLibraryItem(world, params.id), world)),
  }),
]);

/** The official description lists it in the group of documents. */
export const appendOperation = operation({
  id: "appendContentLibraryItemToDocument",
  route: "POST /public/v1/documents/{id}/append-content-library-item",
  body: inputs.appendRequest,
  responses: { 201: appended },
  errors: [401, 403, 404, 409, 423, 429],
  handle: ({ params, body }, world) => created(appendLibraryItem(world, params.id, body.cli)),
});
