/** The whole history of a document on an axis of the tenant's clock. The line above it chooses the step that the page shows. */
import type { Html } from "../../engine/http/html.ts";
import { axisHtml } from "./axis.ts";
import type { Slot } from "./axis-places.ts";
import { here, type Look, toneOf } from "./parts.ts";
import type { Story } from "./story.ts";
import { KINDS, shown } from "./timeline.ts";
import { type DocumentRow, type TimelineEntry, documents, lifecycle } from "../../service/service.ts";

export function timelineAxis(look: Look, row: DocumentRow, story: Story): Html | null {
  const entries = documents.timeline(look.tenant, row);
  const kinds = (Object.keys(KINDS) as TimelineEntry["kind"][]).filter(
    (kind) => kind !== "status" && entries.some((one) => one.kind === kind),
  );
  const stepOf = stepsOf(story, entries);
  const slots: Slot[] = [];
  const slotAt = (at: number, isNew: boolean): Slot => {
    const last = slots.at(-1);
    if (last && last.at === at && !isNew) return last;
    const slot: Slot = { at, marks: [] };
    slots.push(slot);
    return slot;
  };
  const place = (one: TimelineEntry) => {
    const step = stepOf.get(one.id);
    const last = slots.at(-1);
    const isOther = step !== undefined && last?.step !== undefined && last.step !== step;
    const slot = slotAt(one.at, isOther || (one.kind === "status" && last?.band !== undefined));
    if (step !== undefined) slot.step = step;
    if (one.kind === "status") slot.band = { name: lifecycle.words(one.status), tone: toneOf(one.status) };
    else {
      const { tone, name } = shown(look, one);
      const isDue = one.kind === "due";
      const title = isDue ? `due: ${name}` : name;
      slot.marks.push({ lane: kinds.indexOf(one.kind), href: toEntry(look, one, step), title, tone: isDue ? "due" : tone });
    }
  };
  for (const one of entries) if (one.kind !== "due") place(one);
  slotAt(look.tenant.clock.now(), true);
  const now = slots.length - 1;
  for (const one of entries) if (one.kind === "due") place(one);
  return axisHtml({
    id: "axis",
    label: "Timeline on the clock of this tenant",
    lanes: kinds.map((kind) => KINDS[kind]),
    slots,
    now,
    ...(story.n === 0 ? {} : { steps: { shown: story.n, count: story.steps.length } }),
  });
}

/** The number of the step of each entry. A step whose entries are folded into others stands at the last entry before its end. */
function stepsOf({ steps }: Story, entries: readonly TimelineEntry[]): Map<string, number> {
  const found = new Map<string, number>();
  const known = new Set(entries.map((one) => one.id));
  steps.forEach(({ change }, i) => {
    const own = change.entries.filter((id) => known.has(id));
    const near = entries.findLast((one) => one.kind !== "due" && one.at <= change.at && !found.has(one.id))?.id;
    for (const id of own.length > 0 ? own : near === undefined ? [] : [near]) found.set(id, i + 1);
  });
  return found;
}

/** Opens the entry beside the open ones, and shows its step. */
function toEntry(look: Look, { id }: TimelineEntry, step: number | undefined): string {
  const open = [...new Set([...(look.open?.split(",") ?? []), id])].join(",");
  return `${here(look, { open, is: undefined, ...(step === undefined ? {} : { step: String(step) }) })}#${id}`;
}
