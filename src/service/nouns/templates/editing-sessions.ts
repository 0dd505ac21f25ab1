import * as z from "zod";
import { iso } from "../../../engine/core/clock.ts";
import { forbidden } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import { micros } from "../../kit/view.ts";
import { requireMember } from "../members/members.ts";
import type { EditingSessionInput, EditingSessionRow } from "./row.ts";

export const editingSessionMembers = () => ({
  id: z.string(),
  email: z.string(),
  expires_at: micros(),
  key: z.string(),
  token: z.string(),
});

const SESSIONS_MAX = 250;
const WEEK_MS = 7 * 24 * 3_600_000;

export function createEditingSession(
  world: World,
  subject: { kind: EditingSessionRow["kind"]; id: string },
  input: EditingSessionInput,
): EditingSessionRow {
  const { user } = requireMember(world, "email", { email: input.email });
  const now = world.clock.now();
  const sessions = world.store.editing_sessions.where("subject", `${subject.kind}:${subject.id}`);
  // assumed: templates.editing_week.
  const recent = sessions.filter((session) => session.created_at > now - WEEK_MS);
  if (recent.length >= SESSIONS_MAX)
    throw forbidden(`this ${subject.kind} had ${recent.length} editing sessions in the last week; ${SESSIONS_MAX} are allowed`);
  for (const session of sessions)
    if (session.user_id === user.id && isOpen(world, session)) world.store.editing_sessions.put({ ...session, replaced: true });
  return world.store.editing_sessions.put({
    id: world.ids.uuid(),
    kind: subject.kind,
    subject_id: subject.id,
    workspace_id: world.caller.workspace_id,
    user_id: user.id,
    email: user.email,
    token: world.ids.hex(40),
    created_at: now,
    expires_at: world.clock.after(input.lifetime * 1000),
    replaced: false,
  });
}

export function isOpen(world: World, session: EditingSessionRow): boolean {
  return !session.replaced && session.expires_at > world.clock.now();
}

export function findOpenEditingSession(
  world: World,
  token: string,
): { session: EditingSessionRow; subject: { name: string; status?: string } } | undefined {
  const session = world.store.editing_sessions.where("token", token)[0];
  if (!session || !isOpen(world, session)) return undefined;
  const { documents, templates } = world.store;
  const subject = session.kind === "document" ? documents.get(session.subject_id) : templates.get(session.subject_id);
  return subject && { session, subject };
}

export function endEditingSessions(world: World, subject: { kind: EditingSessionRow["kind"]; id: string }): void {
  for (const session of world.store.editing_sessions.where("subject", `${subject.kind}:${subject.id}`))
    world.store.editing_sessions.delete(session.id);
}

/** assumed: documents.editing_session_key. */
export function toEditingSession({ id, email, expires_at, token }: EditingSessionRow) {
  return { id, email, expires_at: iso(expires_at), key: token, token };
}
