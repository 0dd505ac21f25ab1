import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import {
  type DocumentRow,
  type DocumentStatus,
  type EmailRow,
  type Tenant,
  type TimelineEntry,
  type Trigger,
  documents as documentsOf,
} from "../../service/service.ts";
import { idIn, isAbout } from "../../engine/journal/same-calls.ts";

export type StoryStep = { at: number } & (
  | { kind: "call"; call: JournalEntry }
  | { kind: "act"; act: string; document: DocumentRow; recipient: string | undefined; input: Record<string, unknown> }
  | { kind: "change"; document: DocumentRow; trigger: Trigger; status: DocumentStatus }
);

export interface Story {
  name: string;
  documents: readonly DocumentRow[];
  steps: readonly StoryStep[];
  deliveries: readonly DeliveryRow[];
  emails: readonly EmailRow[];
  start: number;
  end: number;
}

export const BY_CLOCK: ReadonlySet<string> = new Set(["process", "finish_pdf"]);

export function storyOf(tenant: Tenant, document?: DocumentRow): Story {
  const documents = document ? [document] : [...tenant.store.documents.all()].sort((a, b) => a.date_created - b.date_created);
  const timelines = documents.map((row) => ({ row, entries: documentsOf.timeline(tenant, row, { folded: false }) }));
  const calls = tenant.journal.all().filter((call) => !call.page && call.operationId !== undefined);
  const needed = new Set(document ? neededCalls(calls, document.id) : calls);
  const rank = new Map(calls.map((call, i) => [call.id, i]));
  const placed = [
    ...calls
      .filter((call) => needed.has(call))
      .map((call) => ({ step: { kind: "call", at: call.at, call } as StoryStep, place: rank.get(call.id) ?? 0 })),
    ...timelines.flatMap(({ row, entries }) => documentSteps(row, entries, rank)),
  ];
  const steps = placed.sort((a, b) => a.step.at - b.step.at || a.place - b.place).map(({ step }) => step);
  const ids = new Set(documents.map((row) => row.id));
  const deliveries = tenant.store.deliveries.all().filter((row) => ids.has(row.subject));
  const emails = tenant.store.emails.all().filter((mail) => mail.document_id !== null && ids.has(mail.document_id));
  const instants = timelines.flatMap(({ entries }) => entries.filter((one) => one.kind !== "due").map((one) => one.at));
  const start = Math.min(steps[0]?.at ?? tenant.clock.now(), ...instants);
  return {
    name: document?.name ?? `story of ${tenant.id}`,
    documents,
    steps,
    deliveries,
    emails,
    start,
    end: Math.max(start, steps.at(-1)?.at ?? start, ...instants),
  };
}

function neededCalls(calls: readonly JournalEntry[], id: string): JournalEntry[] {
  const needed = calls.filter((call) => isAbout(call, id));
  const texts = needed.map((call) => `${call.url} ${call.body}`);
  for (const call of [...calls].reverse()) {
    if (call.method !== "POST" || call.own === undefined || call.own >= 300 || needed.includes(call)) continue;
    const made = idIn(call.responseBody);
    if (made === undefined || !texts.some((text) => text.includes(made))) continue;
    needed.push(call);
    texts.push(`${call.url} ${call.body}`);
  }
  return needed;
}

interface PlacedStep {
  step: StoryStep;
  place: number;
}

function documentSteps(row: DocumentRow, entries: readonly TimelineEntry[], rank: ReadonlyMap<string, number>): PlacedStep[] {
  const steps: PlacedStep[] = [];
  let place = -1;
  const history = new Map(entries.map((entry, i) => [entry.id, i]));
  for (const entry of entries) {
    if (entry.kind === "call") place = rank.get(entry.call.id) ?? place;
    const at = { at: entry.at };
    const add = (step: StoryStep) =>
      steps.push({ step, place: place + 0.1 + ((history.get(entry.id) ?? 0) / (entries.length + 1)) * 0.8 });
    if (entry.kind === "act") addAct(row, entry, steps.at(-1)?.step, add);
    if (entry.kind === "status" && entry.trigger !== "create") {
      const { trigger, status } = entry;
      add({ ...at, kind: "change", document: row, trigger: trigger as Trigger, status });
    }
  }
  return steps;
}

function addAct(
  document: DocumentRow,
  { at, act, who, input }: Extract<TimelineEntry, { kind: "act" }>,
  last: StoryStep | undefined,
  add: (step: StoryStep) => void,
): void {
  const recipient = who === null ? undefined : (who.email ?? (who.role || who.id));
  // A signature fills in fields and signs at one instant, which is one step.
  const isSame = last?.kind === "act" && last.at === at && last.document === document && last.recipient === recipient;
  if (isSame && last.act === "fill" && (act === "sign" || act === "fill")) {
    last.act = act;
    last.input = { ...last.input, ...input, ...documentsOf.joinedInput(last.input, input) };
    return;
  }
  add({ kind: "act", at, act, document, recipient, input: { ...input } });
}

export function statusPath({ documents }: Story): string {
  return documents.map((row) => row.internal.path.map((status) => status.replace("document.", "")).join(", ")).join("; ");
}
