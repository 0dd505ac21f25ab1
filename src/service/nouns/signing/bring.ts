import { ApiError, reasonOf } from "../../../engine/core/errors.ts";
import type { Act } from "../../kit/names.ts";
import type { World } from "../../kit/world.ts";
import { planImages } from "../content/file-content.ts";
import type { DocumentRow } from "../documents/row.ts";
import { requireDocument } from "../documents/row.ts";
import type { DocumentStatus, ManualTrigger, Trigger } from "../documents/status-machine.ts";
import { isAllowedIn } from "../documents/status-machine.ts";
import { wayBy } from "../documents/status-reason.ts";
import { fire, progressionOf } from "../documents/transitions.ts";
import { currentSigners, signersOf } from "../people/participants.ts";
import { send } from "../people/sending.ts";
import type { TemplateRow } from "../templates/row.ts";
import { act } from "./acts.ts";

/** The one way into a status: the shortest walk over the status machine, taken by the people and the sender. */

/** The acts that cause a transition. The sender causes the others. */
export const ACT_OF: Readonly<Partial<Record<Trigger, Act>>> = {
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

export class StatusRefusal extends ApiError {
  constructor(detail: string) {
    super("invalid", detail);
  }
}

interface Wish {
  /** When a scheduled document is sent. */
  send_at?: string | undefined;
}

type Means = (world: World, id: string, wish: Wish) => void;

const byAct =
  (name: Act): Means =>
  (world, id) =>
    act(world, id, name, {});
const bySender: Means = (world, id) => send(world, id, {});

const MEANS: Readonly<Record<Exclude<Trigger, ManualTrigger | "revert">, Means>> = {
  process(world, id) {
    world.jobs.cancelWhere("convert_document", { document: id });
    planImages(world, fire(world, requireDocument(world, id), "process"));
  },
  fail: byAct("fail"),
  schedule: (world, id, { send_at = "1d" }) => act(world, id, "schedule", { at: send_at }),
  request_approval: bySender,
  send: bySender,
  approve: approveAll,
  reject: byAct("reject"),
  view: byAct("view"),
  review: byAct("review"),
  accept_review: byAct("accept_review"),
  complete: signAll,
  await_payment: signAll,
  pay: byAct("pay"),
  decline: byAct("decline"),
  expire: byAct("expire"),
};

/** Takes a document to a status. @throws 400 when the document cannot get there */
export function bring(world: World, id: string, status: DocumentStatus, wish: Wish = {}): void {
  reaching(status, () => {
    const way = wayBy(requireDocument(world, id), [status], Object.keys(MEANS) as (keyof typeof MEANS)[]);
    for (const { trigger } of way ?? []) MEANS[trigger](world, id, wish);
    finishFile(world, id);
  });
  const document = requireDocument(world, id);
  if (document.status !== status) throw new StatusRefusal(whyMissed(world, document, status));
}

/** Says in a refusal which status was wanted. */
export function reaching<T>(status: DocumentStatus, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError && !(error instanceof StatusRefusal))
      throw new StatusRefusal(`Cannot reach ${status}: ${reasonOf(error)}`);
    throw error;
  }
}

/** Selectable approvers that nobody selected leave the document waiting. */
function approveAll(world: World, id: string): void {
  while (requireDocument(world, id).status === "document.waiting_approval") act(world, id, "approve", {});
}

function signAll(world: World, id: string): void {
  const next = (document: DocumentRow) => (isAllowedIn(document.status, "sign") ? currentSigners(document)[0] : undefined);
  for (let signer = next(requireDocument(world, id)); signer; signer = next(requireDocument(world, id)))
    act(world, id, "sign", { recipient: signer.members[0]?.id ?? signer.id });
}

function finishFile(world: World, id: string): void {
  const { progression } = progressionOf(world, "document.pdf");
  const { status } = requireDocument(world, id);
  if ((progression !== "time" && progression !== "immediate") || !isAllowedIn(status, "download_protected")) return;
  world.jobs.cancelWhere("make_pdf", { document: id });
  act(world, id, "finish_pdf", {});
}

function whyMissed(world: World, document: DocumentRow, status: DocumentStatus): string {
  const cannot = `Cannot reach ${status}: the document stopped at ${document.status}`;
  if (document.status === "document.error") return `${cannot}: ${document.internal.failure?.detail ?? "processing failed"}`;
  if (signersOf(document).length > 0) return cannot;
  const template = document.template && world.store.templates.get(document.template.id);
  const roles = template?.roles.map((role) => role.name).join(", ");
  return `${cannot}, and nobody can sign it. Give a recipient a role that has fields; the template "${template?.name}" has ${roles || "no roles"}.`;
}

export const NEEDS_APPROVAL: readonly DocumentStatus[] = ["document.waiting_approval", "document.approved", "document.rejected"];
export const NEEDS_PAYMENT: readonly DocumentStatus[] = ["document.waiting_pay", "document.paid"];

/** Why documents of this template never get into the status. */
export function problemOf({ name, internal }: TemplateRow, status: DocumentStatus): string | undefined {
  if (internal.gallery) return `the template "${name}" belongs to the gallery`;
  if (NEEDS_APPROVAL.includes(status) && !internal.approval) return `the template "${name}" has no approval`;
  if (NEEDS_PAYMENT.includes(status) && !internal.payment) return `the template "${name}" has no payment`;
  if (status === "document.completed" && internal.payment)
    return `the template "${name}" has a payment, so its documents end in document.paid`;
  return undefined;
}

/** A person for each role that nobody has. */
export function placeholderRecipients({ roles }: Pick<TemplateRow, "roles">) {
  return roles.filter((role) => !role.preassigned_person).map((role) => placeholderRecipient(role.name));
}

export function placeholderRecipient(role: string) {
  const local = role
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ".")
    .replace(/^\.+|\.+$/g, "");
  return {
    email: `${local || "recipient"}@client.example`,
    first_name: role,
    last_name: "Example",
    role,
    type: "recipient" as const,
  };
}
