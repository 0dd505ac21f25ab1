import { group, lazy } from "../../engine/core/operation.ts";
import { documentsLinkedTo, link, listLinks, toLinkedDocument, unlink } from "../domain/documents/crm-links.ts";
import { toLink } from "../domain/document-model/crm-links.ts";
import { created, ok, operation } from "./operation.ts";
import * as inputs from "../model/documents/inputs.ts";
import * as z from "zod";
import { dateTime, documentStatus } from "./shapes/document.ts";
import { crmObject } from "../model/documents/inputs.ts";

const linkView = lazy(() =>
  z.strictObject({
    id: z.string(),
    ...crmObject(),
    children: z.array(z.strictObject({ id: z.string(), entity_type: z.string(), entity_id: z.string() })),
  }),
);

const linkList = lazy(() => z.strictObject({ linked_objects: z.array(linkView()) }));

const linkedDocuments = lazy(() =>
  z.array(z.strictObject({ id: z.string(), status: documentStatus(), date_created: dateTime(), template_id: z.string() })),
);

export const crmLinksGroup = group("Document Link to CRM", [
  operation({
    id: "listDocumentsByLinkedObject",
    route: "GET /public/v1/documents/linked-objects",
    query: inputs.linkedObjectQuery,
    responses: { 200: linkedDocuments },
    errors: [401, 403, 404, 409, 429],
    handle: ({ query }, world) => ok(documentsLinkedTo(world, query).map(toLinkedDocument)),
  }),
  operation({
    id: "listLinkedObjects",
    route: "GET /public/v1/documents/{id}/linked-objects",
    responses: { 200: linkList },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params }, world) => ok({ linked_objects: listLinks(world, params.id).map(toLink) }),
  }),
  operation({
    id: "createLinkedObject",
    route: "POST /public/v1/documents/{id}/linked-objects",
    body: inputs.linkRequest,
    responses: { 201: linkView },
    errors: [400, 401, 403, 404, 409, 423, 429],
    limits: "docdouble asks no CRM whether the object exists. It accepts any name of a provider.",
    handle: ({ params, body }, world) => created(toLink(link(world, params.id, body))),
  }),
  operation({
    id: "deleteLinkedObject",
    route: "DELETE /public/v1/documents/{id}/linked-objects/{linked_object_id}",
    responses: { 204: null },
    errors: [401, 403, 404, 409, 423, 429],
    handle: ({ params }, world) => unlink(world, params.id, params.linked_object_id),
  }),
]);
