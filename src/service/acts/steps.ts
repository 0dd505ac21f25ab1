import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { binary } from "../../engine/core/operation.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import { requireDocument } from "../nouns/documents/row.ts";
import type { Trigger } from "../nouns/documents/status-machine.ts";
import { MANUAL_TRIGGERS, TRANSITIONS, next, triggersIn } from "../nouns/documents/status-machine.ts";
import { canTake } from "../nouns/documents/status-reason.ts";
import { filesOf } from "../nouns/documents/downloads.ts";
import { changeStatus, revert, send } from "../nouns/people/sending.ts";
import { act, toActResult } from "../nouns/signing/acts.ts";
import { ACT_OF } from "../nouns/signing/bring.ts";
import type { World } from "../kit/world.ts";
import { verb } from "./operation.ts";
import { actResult } from "./views.ts";

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

const ELSEWHERE = {
  tool: "simulate takes acts, and a client takes the steps of a sender",
};

export const stepVerbs = verbGroup("Admin: steps", ELSEWHERE, [
  verb({
    name: "steps.take",
    does: "Moves a document to its next status. Steps of the sender are `send`, `schedule`, `request_approval`, `revert`, `complete_manually`, `void_manually`, `pay_manually` and `decline_manually`. Steps of a recipient are acts such as `view`, `complete` and `decline`.",
    input: () => z.strictObject({ id: z.string().describe("id of a document"), trigger: z.string() }),
    run({ tenant }, { id, trigger }) {
      if (!Object.hasOwn(TRANSITIONS, trigger))
        throw notFound(`no step ${trigger}; known: ${Object.keys(TRANSITIONS).join(", ")}`);
      return tenant.store.transaction(() => {
        requireDocument(tenant.world, id);
        return take(tenant.world, id, trigger as Trigger);
      });
    },
    admin: {
      id: "adminStep",
      route: "POST /__admin/documents/{id}/step/{trigger}",
      answer: actResult,
      errors: [404, 409, 423],
      example: { path: "/__admin/documents/$document/step/view" },
      show: (document, { tenant }) => toActResult(tenant.world, document),
    },
  }),
  verb({
    name: "documents.pdf",
    does: "Returns the current PDF of the document. An `auto` clock does not count this call as a poll.",
    input: () => z.strictObject({ id: z.string().describe("id of a document") }),
    async run({ tenant }, { id }) {
      const { whole } = filesOf(tenant.world, requireDocument(tenant.world, id));
      return { bytes: await whole.bytes(), media: whole.media };
    },
    admin: {
      id: "adminDocumentPdf",
      route: "GET /__admin/documents/{id}/pdf",
      answer: binary("application/pdf"),
      errors: [404, 409],
      headers: PDF_HEADERS,
      example: { path: "/__admin/documents/$document/pdf" },
    },
  }),
]);
