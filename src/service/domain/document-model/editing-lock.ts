import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { documentLocked } from "../../model/refusals.ts";

export function requireUnlocked(world: World, document: DocumentRow): void {
  const { lock } = document.internal;
  if (!lock || lock.expires_at <= world.clock.now()) return;
  const seconds = Math.ceil((lock.expires_at - world.clock.now()) / 1000);
  throw documentLocked(lock, `user ${lock.locked_by_user_id} has the document open in the editor; the lock ends in ${seconds} s`);
}
