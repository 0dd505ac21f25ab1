import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { binary, group, lazy } from "../../engine/core/operation.ts";
import { requireDocument } from "../domain/document-model/find.ts";
import type { DocumentRow } from "../model/documents/document.ts";
import { MANUAL_TRIGGERS, next, TRANSITIONS, type Trigger, triggersIn } from "../model/documents/status-machine.ts";
import { canTake } from "../domain/document-model/status-reason.ts";
import { filesOf } from "../domain/documents/downloads.ts";
import { send } from "../domain/sending/sending.ts";
import { changeStatus, revert } from "../domain/sending/status-changes.ts";
import { act, toActResult } from "../domain/signing/act-table.ts";
import type { World } from "../model/world.ts";
import { operation } from "./operation.ts";
import { ignoredBody } from "../../engine/verbs/operation.ts";
import type { Act } from "../model/signing/acts.ts";

const stepParams = lazy(() => z.object({ id: z.string(), trigger: z.string() }));

/** The sender fires transitions without an entry. */
const ACT_OF: Readonly<Partial<Record<Trigger, Act>>> = {
  process: "process",
  fail: "fail",
  schedule: "schedule",
  approve: "approve",
  reject: "reject",
  view: "view",
  review: "review",
  accept_review: "accept_review",
  complete: "sign",
  await_payment: "sign",
  pay: "pay",
  decline: "decline",
  expire: "expire",
};

/** The transitions that can fire now. */
export function possibleSteps(document: DocumentRow): { trigger: Trigger; to: DocumentRow["status"] }[] {
  const { status, internal } = document;
  if (internal.deleted_at !== null) return [];
  return triggersIn(status)
    .filter((trigger) => canTake(document, status, trigger))
    .map((trigger) => ({ trigger, to: next(status, trigger) ?? status }));
}

function take(world: World, id: string, trigger: Trigger): DocumentRow {
  const name = ACT_OF[trigger];
  if (name) return act(world, id, name, name === "schedule" ? { at: "1h" } : {});
  if (trigger === "revert") return revert(world, id);
  const code = Object.entries(MANUAL_TRIGGERS).find(([, manual]) => manual === trigger)?.[0];
  if (code !== undefined) return changeStatus(world, id, { status: Number(code) as keyof typeof MANUAL_TRIGGERS });
  return send(world, id, {});
}

const PDF_HEADERS = {
  "cache-control": "no-store",
  "content-disposition": "inline",
  "x-content-type-options": "nosniff",
  "content-security-policy": "frame-ancestors 'self'",
};

export const stepsGroup = group("Admin: steps", [
  operation({
    id: "adminStep",
    route: "POST /__admin/documents/{id}/step/{trigger}",
    params: stepParams,
    body: ignoredBody,
    bodyOptional: true,
    errors: [400, 404, 409, 423],
    handle: ({ params: { id, trigger } }, { tenant }) => {
      if (!Object.hasOwn(TRANSITIONS, trigger))
        throw notFound(`no step ${trigger}; known: ${Object.keys(TRANSITIONS).join(", ")}`);
      const document = tenant.store.transaction(() => {
        requireDocument(tenant.world, id);
        return take(tenant.world, id, trigger as Trigger);
      });
      return { status: 200, body: toActResult(tenant.world, document) };
    },
  }),
  operation({
    id: "adminDocumentPdf",
    route: "GET /__admin/documents/{id}/pdf",
    responses: { 200: binary("application/pdf") },
    errors: [404, 409],
    handle: async ({ params }, { tenant }) => {
      // Reading the PDF here must not count as a poll of the client.
      const { whole } = filesOf(tenant.world, requireDocument(tenant.world, params.id));
      return { status: 200 as const, bytes: await whole.bytes(), media: whole.media, headers: PDF_HEADERS };
    },
  }),
]);
