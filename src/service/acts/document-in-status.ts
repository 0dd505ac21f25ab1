import * as z from "zod";
import type { Tenant } from "../model/tenant.ts";
import { ApiError, reasonOf } from "../../engine/core/errors.ts";
import { lazy } from "../../engine/core/operation.ts";
import { nearest } from "../../engine/core/text.ts";
import { type DocumentStatus, isAllowedIn, STATUSES } from "../model/documents/status-machine.ts";
import type { DocumentRow } from "../model/documents/document.ts";
import { requireDocument } from "../domain/document-model/find.ts";
import { createFromTemplate } from "../domain/documents/documents.ts";
import { strictly } from "../model/world/inputs.ts";
import { domainJobs } from "../domain/jobs.ts";
import { progressionOf } from "../domain/lifecycle/transitions.ts";
import { actor } from "../model/recipients/inputs.ts";
import { currentSigners, signersOf } from "../domain/recipients/recipients.ts";

import { send } from "../domain/sending/sending.ts";
import { changeStatus } from "../domain/sending/status-changes.ts";
import { act } from "../domain/signing/act-table.ts";
import type { TemplateRow } from "../model/templates/rows.ts";
import type { World } from "../model/world.ts";
import type { Act } from "../model/signing/acts.ts";

export const newDocument = lazy(() =>
  z.strictObject({
    template: z.string().optional(),
    name: z.string().min(1).optional(),
    status: z.enum(STATUSES).optional(),
    recipients: z.array(strictly(actor())).optional(),
    fields: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])).optional(),
    tokens: z.record(z.string(), z.string()).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    tags: z.array(z.string()).optional(),
    folder: z.string().optional(),
    sendAt: z.string().optional(),
  }),
);

export type Wish = z.output<ReturnType<typeof newDocument>>;
type Recipient = NonNullable<Wish["recipients"]>[number];

class StatusRefusal extends ApiError {
  constructor(detail: string) {
    super("invalid", detail);
  }
}

/** Creates a document and takes it to a status. A refusal leaves everything unchanged. Returns the document's id. @throws 400 */
export async function createInStatus(tenant: Tenant, wish: Wish): Promise<string> {
  const { id, ready } = beginInStatus(tenant, wish);
  await ready;
  return id;
}

/** The same without waiting: `ready` is there while images load. @throws 400 */
export function beginInStatus(tenant: Tenant, wish: Wish): { id: string; ready?: Promise<unknown> } {
  const status = wish.status ?? "document.draft";
  if (wish.sendAt !== undefined && status !== "document.scheduled")
    throw new StatusRefusal(`sendAt needs the status document.scheduled; the status is ${status}`);
  const { world, store } = tenant;
  const template = chooseTemplate(world, wish.template, status);
  requirePossible(world, template, status);
  const finish = (id: string) => {
    reach(world, id, status, wish);
    const reached = requireDocument(world, id).status;
    if (reached !== status) throw new StatusRefusal(`${whyMissed(world, template, id, status)}`);
    return id;
  };
  const begun = attempt(status, () =>
    store.transaction(() => {
      const { id } = createFromTemplate(refusingRemarks(world), toInput(template, wish));
      if (status === "document.uploaded") return { id };
      world.jobs.cancelWhere("convert_document", { document: id });
      if (status === "document.error") return { id: finish(id) };
      // Only images with an address take time to load.
      const loading = domainJobs.convert_document?.run({ document: id } as never, world);
      return loading ? { id, loading } : { id: finish(id) };
    }),
  );
  const { id, loading } = { loading: undefined, ...begun };
  if (loading === undefined) return { id };
  const end = (loaded: () => void) => {
    try {
      return attempt(status, () =>
        store.transaction(() => {
          loaded();
          return finish(id);
        }),
      );
    } catch (error) {
      store.transaction(() => store.documents.delete(id));
      throw error;
    }
  };
  return { id, ready: loading.then(end) };
}

/** The service ignores unknown names. In a test such a name is a mistake, so this refuses it. */
function refusingRemarks(world: World): World {
  return Object.assign(Object.create(world) as World, {
    remark({ message, fix }: Parameters<World["remark"]>[0]) {
      throw new StatusRefusal(`${message.replace(/, so .*$/, "")}. ${fix}`);
    },
  });
}

function attempt<T>(status: DocumentStatus, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError && !(error instanceof StatusRefusal))
      throw new StatusRefusal(`Cannot reach ${status}: ${reasonOf(error)}`);
    throw error;
  }
}

const NEEDS_APPROVAL: readonly DocumentStatus[] = ["document.waiting_approval", "document.approved", "document.rejected"];
const NEEDS_PAYMENT: readonly DocumentStatus[] = ["document.waiting_pay", "document.paid"];

function templatesOf({ store, caller }: World): TemplateRow[] {
  return store.templates.all().filter((row) => row.workspace_id === caller.workspace_id && row.internal.deleted_at === null);
}

function chooseTemplate(world: World, wanted: string | undefined, status: DocumentStatus): TemplateRow {
  const templates = templatesOf(world);
  if (wanted !== undefined) {
    const found = templates.find((row) => row.id === wanted) ?? templates.find((row) => row.name === wanted);
    if (found) return found;
    const names = templates.map((row) => row.name);
    const near = nearest(wanted, names);
    throw new StatusRefusal(
      `there is no template "${wanted}"; ${near === undefined ? `there are ${listed(names)}` : `did you mean "${near}"?`}`,
    );
  }
  const chosen = templates.find(
    (row) => problemOf(row, status) === undefined && (row.internal.approval === null || NEEDS_APPROVAL.includes(status)),
  );
  if (chosen) return chosen;
  throw new StatusRefusal(
    `no template can reach ${status}. Create one with templates.create(${
      NEEDS_APPROVAL.includes(status)
        ? "{ name, roles, approval: { steps: [[member]] } }"
        : NEEDS_PAYMENT.includes(status)
          ? "{ name, roles, fields, payment: {} }"
          : "{ name, roles, fields }"
    }).`,
  );
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ") || "none";
}

function problemOf({ name, internal }: TemplateRow, status: DocumentStatus): string | undefined {
  if (internal.gallery) return `the template "${name}" belongs to the gallery`;
  if (NEEDS_APPROVAL.includes(status) && !internal.approval) return `the template "${name}" has no approval`;
  if (NEEDS_PAYMENT.includes(status) && !internal.payment) return `the template "${name}" has no payment`;
  if (status === "document.completed" && internal.payment)
    return `the template "${name}" has a payment, so its documents end in document.paid`;
  return undefined;
}

function requirePossible(world: World, template: TemplateRow, status: DocumentStatus): void {
  const problem = problemOf(template, status);
  if (problem === undefined) return;
  const others = templatesOf(world).filter((row) => problemOf(row, status) === undefined);
  const next =
    others.length > 0 ? `Use one of ${listed(others.map((row) => row.name))}` : "Create another with templates.create()";
  throw new StatusRefusal(`Cannot reach ${status}: ${problem}. ${next}.`);
}

function whyMissed(world: World, template: TemplateRow, id: string, status: DocumentStatus): string {
  const document = requireDocument(world, id);
  const cannot = `Cannot reach ${status}: the document stopped at ${document.status}`;
  if (document.status === "document.error") return `${cannot}: ${document.internal.failure?.detail ?? "processing failed"}`;
  if (signersOf(document).length > 0) return cannot;
  const roles = template.roles.map((role) => role.name).join(", ");
  return `${cannot}, and nobody can sign it. Give a recipient a role that has fields; the template "${template.name}" has ${roles || "no roles"}.`;
}

function toInput(template: TemplateRow, wish: Wish) {
  const { name, metadata, tags, folder, fields, tokens } = wish;
  return {
    template_uuid: template.id,
    name: name ?? template.name,
    recipients: toRecipients(template, wish.recipients),
    metadata: metadata ?? {},
    ...(tags ? { tags } : {}),
    ...(folder === undefined ? {} : { folder_uuid: folder }),
    ...(fields ? { fields: Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { value }])) } : {}),
    ...(tokens ? { tokens: Object.entries(tokens).map(([token, value]) => ({ name: token, value })) } : {}),
  };
}

function toRecipients({ roles }: TemplateRow, wanted: readonly Recipient[] | undefined): Recipient[] {
  const free = roles.filter((role) => !role.preassigned_person && !wanted?.some((one) => one.role === role.name));
  if (!wanted) return free.map((role) => placeholderRecipient(role.name));
  return wanted.map((one) => (one.role == null && free.length > 0 ? { ...one, role: free.shift()?.name ?? null } : one));
}

function placeholderRecipient(role: string): Recipient {
  const local = role
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ".")
    .replace(/^\.+|\.+$/g, "");
  return { email: `${local || "recipient"}@client.example`, first_name: role, last_name: "Example", role, type: "recipient" };
}

type Step = "send" | "send_approved" | "void" | Act;

const SENT: readonly Step[] = ["send", "approve", "send_approved"];

const STEPS_TO: Readonly<Record<DocumentStatus, readonly Step[]>> = {
  "document.uploaded": [],
  "document.draft": [],
  "document.error": ["fail"],
  "document.scheduled": ["schedule"],
  "document.waiting_approval": ["send"],
  "document.approved": ["send", "approve"],
  "document.rejected": ["send", "reject"],
  "document.sent": SENT,
  "document.viewed": [...SENT, "view"],
  "document.external_review": [...SENT, "review"],
  "document.declined": [...SENT, "decline"],
  "document.voided": [...SENT, "void"],
  "document.completed": [...SENT, "sign"],
  "document.waiting_pay": [...SENT, "sign"],
  "document.paid": [...SENT, "sign", "pay"],
};

function reach(world: World, id: string, status: DocumentStatus, wish: Wish): void {
  for (const step of STEPS_TO[status]) take(world, id, step, wish);
  if (status === "document.completed" || status === "document.paid") finishFile(world, id);
}

function take(world: World, id: string, step: Step, wish: Wish): void {
  if (step === "send") send(world, id, {});
  else if (step === "approve") approveAll(world, id);
  else if (step === "send_approved") {
    if (current(world, id) === "document.approved") send(world, id, {});
  } else if (step === "sign") signAll(world, id);
  else if (step === "void") changeStatus(world, id, { status: 11 });
  else act(world, id, step, step === "schedule" ? { at: wish.sendAt ?? "1d" } : {});
}

function current(world: World, id: string): DocumentStatus {
  return requireDocument(world, id).status;
}

/** Selectable approvers that nobody selected leave the document waiting. */
function approveAll(world: World, id: string): void {
  while (current(world, id) === "document.waiting_approval") act(world, id, "approve", {});
}

function signAll(world: World, id: string): void {
  const next = (document: DocumentRow) => (isAllowedIn(document.status, "sign") ? currentSigners(document)[0] : undefined);
  for (let signer = next(requireDocument(world, id)); signer; signer = next(requireDocument(world, id)))
    act(world, id, "sign", { recipient: signer.members[0]?.id ?? signer.id });
}

function finishFile(world: World, id: string): void {
  const { progression } = progressionOf(world, "document.pdf");
  if ((progression !== "time" && progression !== "immediate") || !isAllowedIn(current(world, id), "download_protected")) return;
  world.jobs.cancelWhere("make_pdf", { document: id });
  act(world, id, "finish_pdf", {});
}
