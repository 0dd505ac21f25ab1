import { group, lazy } from "../../engine/core/operation.ts";
import { createFolder, listFolders, renameFolder, toFolder, toFolderItem } from "../domain/folders/folders.ts";
import { created, ok, operation } from "./operation.ts";
import * as inputs from "../model/folders/inputs.ts";
import * as z from "zod";
import { dateTime } from "./shapes/document.ts";

const folder = lazy(() => z.strictObject({ uuid: z.string(), name: z.string(), date_created: dateTime() }));

const folderList = lazy(() =>
  z.strictObject({ results: z.array(folder().extend({ has_folders: z.boolean(), has_items: z.boolean() })) }),
);

export const foldersGroup = group("Folders", [
  operation({
    id: "listDocumentFolders",
    route: "GET /public/v1/documents/folders",
    query: inputs.foldersQuery,
    responses: { 200: folderList },
    errors: [400, 401, 429],
    handle: ({ query }, world) => ok({ results: listFolders(world, "document", query).map((row) => toFolderItem(world, row)) }),
  }),
  operation({
    id: "createDocumentFolder",
    route: "POST /public/v1/documents/folders",
    body: inputs.folderInput,
    responses: { 201: folder },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ body }, world) => created(toFolder(createFolder(world, "document", body))),
  }),
  operation({
    id: "renameDocumentFolder",
    route: "PUT /public/v1/documents/folders/{id}",
    body: inputs.folderPatch,
    responses: { 200: folder },
    errors: [400, 401, 404, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => ok(toFolder(renameFolder(world, "document", params.id, body.name))),
  }),
  operation({
    id: "listTemplateFolders",
    route: "GET /public/v1/templates/folders",
    query: inputs.foldersQuery,
    responses: { 200: folderList },
    errors: [400, 401, 429],
    handle: ({ query }, world) => ok({ results: listFolders(world, "template", query).map((row) => toFolderItem(world, row)) }),
  }),
  operation({
    id: "createTemplateFolder",
    route: "POST /public/v1/templates/folders",
    body: inputs.folderInput,
    responses: { 201: folder },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ body }, world) => created(toFolder(createFolder(world, "template", body))),
  }),
  operation({
    id: "renameTemplateFolder",
    route: "PUT /public/v1/templates/folders/{id}",
    body: inputs.folderPatch,
    responses: { 200: folder },
    errors: [400, 401, 404, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => ok(toFolder(renameFolder(world, "template", params.id, body.name))),
  }),
]);
