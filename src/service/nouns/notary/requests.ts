import { badRequest, forbidden, invalid, notFound } from "../../../engine/core/errors.ts";
import { sortBy } from "../../../engine/core/lists.ts";
import type { TransitionTable } from "../../../engine/core/machine.ts";
import { next } from "../../../engine/core/machine.ts";
import { pointerOf } from "../../../engine/core/text.ts";
import type { Row } from "../../../engine/store/row.ts";
import { wrongStatus } from "../../kit/errors.ts";
import { list, maybe, micros, oneOf, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { findDocument } from "../documents/row.ts";
import { statusReason } from "../documents/status-reason.ts";
import { findPerson, fullName, isWorkspaceAdmin, personOf } from "../members/members.ts";
import { mail } from "../people/mails.ts";
import type { NotariesQuery, NotarizationInput, NotarizationsQuery, NotaryActInput } from "./notary.ts";
import type { NotarizationRow, NotaryAct, NotaryRow, RequestStatus } from "./row.ts";
import { NOTARY_STATUSES, REQUEST_STATUSES } from "./row.ts";

type Invitee = NotarizationRow["invitees"][number];

/** The session takes place on the service's own page. */
export function linkOfInvitee({ id }: NotarizationRow, invitee: Invitee): string {
  return `https://notarize.pandadoc.com/session-request#/?requestId=${id}&inviteeId=${invitee.id}`;
}

/** Source: the official description: invitees get an invitation, and the notary too. assumed: notary.mails. */
export function mailNotaryInvitations(world: World, row: NotarizationRow): void {
  mailInvitees(world, row, (invitee) => ({ message: row.message, link: linkOfInvitee(row, invitee) }));
  const notary = row.notary && world.store.notaries.get(row.notary.id);
  if (notary) send(world, row, { email: notary.email, name: notary.name ?? notary.email }, { message: row.notary?.message });
}

/** Source: the official description: invitees hear of a deletion, unless the request disabled their mails. */
export function mailNotaryDeletion(world: World, row: NotarizationRow): void {
  const subject = `The notarization of "${row.name}" was deleted`;
  mailInvitees(world, row, () => ({ subject, message: `${subject}.` }));
}

/** Source: the official description: the author gets a mail with a link to the notarized document. */
export function mailNotaryResult(world: World, row: NotarizationRow, link: string): void {
  const author = findPerson(world, row.created_by)?.user;
  const subject = `The notarization of "${row.name}" is completed`;
  if (author) send(world, row, { email: author.email, name: fullName(author) }, { subject, message: `${subject}.`, link });
}

interface Words {
  subject?: string;
  message?: string | null | undefined;
  link?: string;
}

function mailInvitees(world: World, row: NotarizationRow, words: (invitee: Invitee) => Words): void {
  if (row.disable_invitees_notifications) return;
  for (const invitee of row.invitees) send(world, row, { email: invitee.email, name: fullName(invitee) }, words(invitee));
}

function send(world: World, row: NotarizationRow, to: { email: string; name: string }, words: Words): void {
  const document = findDocument(world, row.document_id);
  mail(world, { kind: "notarization", to, ...(document && { document }), ...words });
}

/** assumed: notary.act_order. */
const TRANSITIONS: TransitionTable<RequestStatus, NotaryAct> = {
  join: { from: ["SENT"], to: "WAITING_FOR_NOTARY" },
  accept: { from: ["SENT", "WAITING_FOR_NOTARY"], to: "ACCEPTED" },
  go_live: { from: ["ACCEPTED"], to: "LIVE" },
  complete: { from: ["LIVE"], to: "COMPLETED" },
  incomplete: { from: ["LIVE"], to: "INCOMPLETE" },
  cancel: { from: ["SENT", "WAITING_FOR_NOTARY", "ACCEPTED"], to: "CANCELLED" },
};
const DELETABLE: readonly RequestStatus[] = ["SENT", "WAITING_FOR_NOTARY", "INCOMPLETE"];

/** Source: the official description: notaries on duty respond within 2 minutes. */
const RESPONSE_MS = 120_000;

function requireAddOn(world: World): void {
  if (world.store.workspaces.get(world.caller.workspace_id)?.settings.notary) return;
  throw forbidden("the workspace has no notary add-on; set settings.notary of the workspace to true in the fixtures");
}

/** Source: 403 once the transactions are used up. assumed: notary.transactions. */
function requireTransaction(world: World): void {
  const { workspace_id } = world.caller;
  const bought = world.store.workspaces.get(workspace_id)?.settings.notary_transactions ?? null;
  const used = world.store.notarizations.where("workspace", workspace_id).filter((row) => row.status !== "CANCELLED").length;
  if (bought === null || used < bought) return;
  throw forbidden(
    `all ${bought} notary transactions are used up; raise settings.notary_transactions of the workspace in the fixtures`,
  );
}

function page<T extends Row>(
  rows: readonly T[],
  { offset, limit, order_by }: { offset: number; limit: number; order_by: string },
  keyOf: (row: T, field: string) => string | number | null,
): T[] {
  const field = order_by.replace("-", "");
  return sortBy(rows, (row) => keyOf(row, field), order_by.startsWith("-")).slice(offset, offset + limit);
}

export function listNotaries(world: World, filter: NotariesQuery) {
  requireAddOn(world);
  const found = world.store.notaries
    .where("workspace", world.caller.workspace_id)
    .filter(
      (row) =>
        (!filter.status?.length || filter.status.includes(row.status)) &&
        (!filter.commission_state?.length || filter.commission_state.includes(row.commission_state ?? "")),
    );
  const results = page(found, filter, (row, field) => row[field as "email" | "status" | "name"]);
  return { results: results.map(notaryView.of), count: found.length };
}

/** assumed: notary.unknown_reference. */
export function createNotarization(world: World, input: NotarizationInput): NotarizationRow {
  requireAddOn(world);
  const document = findDocument(world, input.document_id);
  if (!document) throw invalid({ document_id: ["Document not found."] }, `no document ${input.document_id} in this workspace`);
  if (document.status !== "document.draft")
    throw invalid(
      { document_id: ["Document should be in document.draft status."] },
      statusReason(document, "notarize the document", "edit"),
    );
  requireTransaction(world);
  if (input.notary) {
    const notary = world.store.notaries.get(input.notary.id);
    if (notary?.workspace_id !== world.caller.workspace_id || notary.status !== "ACTIVE")
      throw invalid({ "notary.id": ["Notary not found."] }, `${input.notary.id} is ${notary?.status ?? "no notary"}, not ACTIVE`);
  }
  remarkPlan(world, document.id, input);
  const row = world.store.notarizations.put({
    id: world.ids.uuid(),
    workspace_id: world.caller.workspace_id,
    name: document.name,
    status: "SENT",
    document_id: document.id,
    message: input.invitation.message ?? null,
    disable_invitees_notifications: input.disable_invitees_notifications ?? false,
    invitees: input.invitation.invitees.map((one) => ({
      id: world.ids.uuid(),
      email: one.email,
      first_name: one.first_name ?? "",
      last_name: one.last_name ?? "",
    })),
    notary: input.notary ? { ...input.notary, message: input.notary.message ?? null } : null,
    created_by: world.caller.membership_id,
    date_created: world.clock.now(),
    date_accepted: null,
    date_started: null,
    date_completed: null,
    termination_reason: null,
    termination_details: null,
    signed: [],
    recorded: false,
  });
  mailNotaryInvitations(world, row);
  // assumed: notary.own_notary.
  if (row.notary) world.jobs.schedule("notary_accepts", Math.max(0, row.notary.scheduled_at - world.clock.now()), { id: row.id });
  return row;
}

const ENDED: readonly RequestStatus[] = ["COMPLETED", "INCOMPLETE", "CANCELLED"];

/** assumed: notary.planned_session. */
function remarkPlan(world: World, documentId: string, { notary }: NotarizationInput): void {
  const remark = (message: string, fix: string, where: string) =>
    world.remark({ kind: "doubtful_value", message, fix, pointer: pointerOf(where) });
  const others = world.store.notarizations.where("workspace", world.caller.workspace_id);
  if (others.some((row) => row.document_id === documentId && !ENDED.includes(row.status)))
    remark("The document has another notarization request", "Delete the other request first.", "document_id");
  if (notary && notary.scheduled_at < world.clock.now())
    remark("The planned time of the session is in the past", "Send a time in the future.", "notary.scheduled_at");
}

/** assumed: notary.visibility. */
function visibleRequests(world: World): NotarizationRow[] {
  const { workspace_id, membership_id } = world.caller;
  const rows = world.store.notarizations.where("workspace", workspace_id);
  return isWorkspaceAdmin(world, workspace_id) ? rows : rows.filter((row) => row.created_by === membership_id);
}

export function requireNotarization(world: World, id: string): NotarizationRow {
  requireAddOn(world);
  const row = visibleRequests(world).find((one) => one.id === id);
  if (!row) throw notFound(`no notarization request ${id} that this caller may see`);
  return row;
}

export const notaryView = view<NotaryRow>()({
  id: text,
  email: text,
  name: maybe(text),
  status: oneOf(NOTARY_STATUSES),
  commission_state: maybe(text),
});

export const requestView = view<NotarizationRow, World>()({
  id: text,
  status: oneOf(REQUEST_STATUSES),
  name: text,
  document_id: text,
  date_created: micros,
  date_started: maybe(micros),
  date_completed: maybe(micros),
  created_by_user_id: [text, (row, world) => personOf(world, row.created_by).id],
});

const author = view<ReturnType<typeof personOf>>()({
  user_id: [text, ({ id }) => id],
  email: text,
  first_name: text,
  last_name: text,
});

/** Who made the request. */
export const AUTHOR = [author, (row: NotarizationRow, world: World) => personOf(world, row.created_by)] as const;

export const inviteeView = view<Invitee>()({ id: text, email: text, first_name: text, last_name: text });

const invited = view<Invitee & { row: NotarizationRow }>()({
  ...inviteeView.shape,
  notarization_link: [text, ({ row, ...invitee }) => linkOfInvitee(row, invitee)],
});

export const createdRequestView = view<NotarizationRow, World>()({
  id: text,
  name: text,
  status: oneOf(REQUEST_STATUSES),
  date_created: micros,
  date_accepted: maybe(micros),
  created_by: AUTHOR,
  invitees: [list(invited), (row) => row.invitees.map((invitee) => ({ ...invitee, row }))],
});

export function listNotarizations(world: World, filter: NotarizationsQuery) {
  requireAddOn(world);
  const found = visibleRequests(world).filter(
    (row) =>
      (!filter.status?.length || filter.status.includes(row.status)) &&
      (!filter.created_by_user_id?.length || filter.created_by_user_id.includes(personOf(world, row.created_by).id)) &&
      (!filter.document_id?.length || filter.document_id.includes(row.document_id)),
  );
  const results = page(found, filter, (row, field) => row[field as "status" | "date_created" | "date_completed"]);
  return { results: results.map((row) => requestView.of(row, world)), count: found.length };
}

/** Source: the official text: only in these statuses, else 400. */
export function deleteNotarization(world: World, id: string): void {
  const row = requireNotarization(world, id);
  if (!DELETABLE.includes(row.status))
    throw badRequest(`Notarization request in status ${row.status} cannot be deleted`, {
      why: `a notarization request can be deleted only in ${DELETABLE.join(", ")}`,
    });
  world.jobs.cancelWhere("notary_accepts", { id });
  world.store.notarizations.delete(id);
  mailNotaryDeletion(world, row);
}

export function actOnNotarization(world: World, id: string, act: NotaryAct, input: NotaryActInput = {}): NotarizationRow {
  const row = world.store.notarizations.get(id);
  if (!row) throw notFound(`no notarization request ${id}`);
  const status = next(TRANSITIONS, row.status, act);
  if (!status)
    throw wrongStatus(row, `The request is in ${row.status}`, `${act} is possible only in ${TRANSITIONS[act].from.join(", ")}`);
  const now = world.clock.now();
  const changed = world.store.notarizations.put({
    ...row,
    status,
    ...(act === "accept" && { date_accepted: now }),
    ...(act === "go_live" && { date_started: now }),
    // assumed: notary.recorded.
    ...(act === "complete" && { date_completed: now, recorded: input.recording ?? true }),
    ...(act === "incomplete" && { termination_reason: input.reason ?? "OTHER", termination_details: input.details ?? null }),
  });
  if (act === "join" && !row.notary) world.jobs.schedule("notary_accepts", RESPONSE_MS, { id });
  else if (act !== "join") world.jobs.cancelWhere("notary_accepts", { id });
  if (act === "complete") world.jobs.schedule("notarize", 0, { id });
  return changed;
}

export function acceptAsNotary(world: World, id: string): void {
  const row = world.store.notarizations.get(id);
  if (row && next(TRANSITIONS, row.status, "accept")) actOnNotarization(world, id, "accept");
}
