/** The law of statuses: what each operation about one document answers to a valid call in each status of the document. */
import { expect, test } from "vitest";
import { groupBy } from "../../../src/engine/core/maps.ts";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { operations } from "../../../src/service/nouns/index.ts";
import { STATUSES } from "../../../src/service/nouns/documents/status-machine.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

const ABOUT_ONE = operations
  .filter(({ route }) => /^\w+ \/public\/\w+\/documents\/\{/.test(route))
  .map(({ id }) => id as OperationId);

/** Operations by their answers: each status code with the statuses of the document that lead to it. `*` stands for all others. */
const TABLE: Readonly<Record<string, string>> = {
  "200: *":
    "statusDocument documentRevertToDraft documentESignDisclosure createExportDocxTask getDocxExportTask createDocumentAttachment createDocumentAttachmentFromFileUpload listDocumentAuditTrail documentSettingsGet documentSettingsUpdate listSections sectionDetails quotesBatchUpdate",
  "204: *": "deleteDocument documentMoveToFolder deleteDocumentAttachment",
  "204: draft | 400: *": "updateDocument updateDocumentFieldsAssignment deleteDocumentRecipient deleteSection",
  "204: declined draft sent viewed voided | 409: *": "changeDocumentStatus changeDocumentStatusWithUpload",
  "409: uploaded | 200: *":
    "detailsDocument listLinkedObjects listDocumentAttachments detailsDocumentAttachment downloadDocumentAttachment listDocumentFields sectionInfo",
  "200: approved draft | 409: *": "sendDocument",
  "201: completed paid sent viewed waiting_pay | 400: *": "createDocumentLink",
  "202: completed paid | 409: error uploaded | 200: *": "downloadDocument",
  "200: completed paid | 409: *": "downloadProtectedDocument",
  "201: draft | 409: *": "appendContentLibraryItemToDocument",
  "409: uploaded | 204: *": "transferDocumentOwnership deleteLinkedObject",
  "201: draft | 400: *": "createDocumentEditingSession uploadSection uploadSectionWithUpload",
  "404: error | 200: *": "getDocumentSummary getDocumentContent",
  "202: completed paid | 409: *": "getDocumentAiMetadata",
  "400: completed declined paid voided | 200: *": "updateDocumentAutoReminderSettings getDocumentAutoReminderSettings",
  "200: sent viewed | 400: *": "statusDocumentAutoReminder",
  "200: sent viewed | 409: *": "createManualReminder",
  "409: uploaded | 201: *": "createLinkedObject",
  "200: draft | 400: *": "createDocumentFields",
  "400: declined voided | 200: *": "addDocumentRecipient",
  "204: approved draft rejected sent viewed waiting_approval | 400: *": "editDocumentRecipient",
  "200: approved draft rejected sent viewed waiting_approval | 400: *": "reassignDocumentRecipient",
  "200: draft | 409: *": "quoteUpdate",
};

test.each(ABOUT_ONE)("%s answers as the table says in each status of its document", async (id) => {
  const call = await VALID_CALLS[id](world);
  const ready = world.tenant.snapshot();
  const found: [answer: number, status: string][] = [];
  for (const status of STATUSES) {
    const { documents } = world.tenant.store;
    const row = documents.get(call.params?.id ?? call.params?.document_id ?? "");
    if (!row) throw new Error(`${id} is about no document`);
    documents.put({ ...row, status });
    const answer = await world.call(id, call);
    found.push([answer.status, status.replace("document.", "")]);
    world.tenant.restore(ready);
  }
  const groups = [...groupBy(found, ([answer]) => answer)].sort(([, a], [, b]) => a.length - b.length);
  const text = groups.map(([answer, all], i) => {
    const statuses = all.map(([, status]) => status).sort();
    return `${answer}: ${i === groups.length - 1 ? "*" : statuses.join(" ")}`;
  });
  const known = Object.keys(TABLE).find((answers) => TABLE[answers]?.split(" ").includes(id));
  expect(text.join(" | ")).toBe(known);
});
