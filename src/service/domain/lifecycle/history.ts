import type { Participant } from "../recipients/recipients.ts";
import { participantName } from "../recipients/recipients.ts";
import type { World } from "../../model/world.ts";
import type { HistoryEvent, HistoryRow } from "../../model/lifecycle/rows.ts";

/** Draws no random number, so ids do not depend on it. */
export function record(world: World, documentId: string, event: HistoryEvent): void {
  const n = nextNumber(world);
  world.store.history.put({
    id: `${documentId}/${n}`,
    document_id: documentId,
    n,
    at: world.clock.now(),
    call: world.journal.current ?? null,
    calls: world.journal.total,
    event,
  });
}

function nextNumber({ store: { counters } }: World): number {
  const latest = (counters.get("history")?.latest ?? 0) + 1;
  counters.put({ id: "history", latest });
  return latest;
}

export function recordAct(
  world: World,
  documentId: string,
  act: string,
  { recipient, member }: Participant,
  input: Record<string, unknown> = {},
): void {
  const { email } = member ?? recipient;
  const who = { id: (member ?? recipient).id, name: participantName({ recipient, member }), email, role: recipient.role };
  record(world, documentId, { kind: "act", act, who, input });
}

export function historyOf(world: Pick<World, "store">, documentId: string): HistoryRow[] {
  return world.store.history.where("document", documentId).sort((a, b) => a.n - b.n);
}
