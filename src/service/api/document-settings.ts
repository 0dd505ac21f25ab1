import * as z from "zod";
import { group, lazy } from "../../engine/core/operation.ts";
import { changeSettings } from "../domain/documents/settings.ts";
import { ok, operation } from "./operation.ts";
import { requireDocument } from "../domain/document-model/find.ts";
import { documentSettingsRequest } from "../model/documents/inputs.ts";

const settings = lazy(() =>
  z.strictObject({
    language: z.string(),
    qualified_electronic_signature: z.boolean(),
    expires_in: z.number().int(),
    suggest_edits: z.boolean(),
  }),
);

export const documentSettingsGroup = group("Document Settings", [
  operation({
    id: "documentSettingsGet",
    route: "GET /public/v2/documents/{document_id}/settings",
    responses: { 200: settings },
    errors: [],
    handle: ({ params }, world) => ok(requireDocument(world, params.document_id).internal.settings),
  }),
  operation({
    id: "documentSettingsUpdate",
    route: "PATCH /public/v2/documents/{document_id}/settings",
    body: documentSettingsRequest,
    responses: { 200: settings },
    errors: [],
    furtherErrors: [423],
    limits:
      "docdouble stores the language, and nothing uses it. A qualified electronic signature works like any other signature.",
    handle: ({ params, body }, world) => ok(changeSettings(world, params.document_id, body).internal.settings),
  }),
]);
