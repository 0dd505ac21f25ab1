import { slug } from "../../engine/core/text.ts";
import { iso, isoMillis } from "../../engine/core/clock.ts";
import { durationText } from "../../engine/core/time-limits.ts";
import { yamlLibrary } from "../../engine/scenario/yaml.ts";
import type { DocumentRow, Tenant } from "../../service/service.ts";
import { deliveryRules, faultRules } from "./rules.ts";
import { BY_CLOCK, statusPath, type Story, type StoryStep } from "./story.ts";
import { groupBy } from "../../engine/core/maps.ts";

export function scenarioText(tenant: Tenant, story: Story): string {
  const file = scenarioValue(tenant, story);
  const name = `${fileNameOf(story)}.yaml`;
  return `# What happened to ${oneLine(story.name)}, saved by docdouble on ${iso(story.end).slice(0, 10)} of its clock.
#
#   npx docdouble run ${name} -- npm test
#
# Your client makes the calls. The actors below do what people did, after the same waits.
${yamlLibrary().stringify(file, { lineWidth: 120 })}`;
}

export function scenarioValue(tenant: Tenant, story: Story) {
  const rules = faultRules(tenant, story);
  const webhooks = deliveryRules(tenant, story);
  const transitions = transitionsOf(tenant, story);
  const actors = story.documents.flatMap((row) => actorsOf(row, story));
  const { assume } = tenant.readings.changes;
  return {
    version: 1,
    name: fileNameOf(story),
    description: `${statusPath(story)}.`,
    clock: { mode: "frozen", now: isoMillis(story.start) },
    ...(Object.keys(transitions).length > 0 ? { transitions } : {}),
    ...(assume && Object.keys(assume).length > 0 ? { assume } : {}),
    ...(rules.length > 0 ? { rules } : {}),
    ...(webhooks.length > 0 ? { webhooks } : {}),
    ...(actors.length > 0 ? { actors } : {}),
    expect: expectationsOf(tenant, story),
  };
}

export function fileNameOf({ name }: Story): string {
  return slug(name).slice(0, 60) || "story";
}

export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** How long processing and the PDF took. A scenario has one time for all documents, so the first document decides. */
function transitionsOf(tenant: Tenant, { documents, steps }: Story) {
  const time = (trigger: string, since: (row: DocumentRow) => number | null) => {
    for (const document of documents) {
      const begin = since(document);
      const end = steps.find((one) => isEnd(one, document, trigger));
      if (begin !== null && end !== undefined && end.at >= begin) return { time: `${end.at - begin}ms` };
    }
    return undefined;
  };
  const processing = time("process", (row) => row.date_created);
  const pdf = time("finish_pdf", (row) => row.date_completed);
  return {
    ...(tenant.settings.transitions["document.processing"] === undefined && processing
      ? { "document.processing": processing }
      : {}),
    ...(tenant.settings.transitions["document.pdf"] === undefined && pdf ? { "document.pdf": pdf } : {}),
  };
}

function isEnd(step: StoryStep, document: DocumentRow, name: string): boolean {
  if (step.kind === "change") return step.document === document && step.trigger === name;
  return step.kind === "act" && step.document === document && step.act === name;
}

function actorsOf(document: DocumentRow, { steps, documents }: Story) {
  const actors: { name: string; on: string; document: object; steps: object[] }[] = [];
  const isNamedOnce = documents.filter((row) => row.name === document.name).length === 1;
  if (!isNamedOnce && documents.find((row) => row.name === document.name) !== document) return [];
  const anchors = anchorsOf(document, steps);
  let actor: (typeof actors)[number] | undefined;
  let anchor: { at: number; status: string } | undefined;
  let last = 0;
  for (const step of steps) {
    if (step.kind !== "act" || step.document !== document || BY_CLOCK.has(step.act)) continue;
    const now = anchors.findLast((one) => one.at <= step.at);
    if (!now) continue;
    if (now !== anchor || !actor) {
      anchor = now;
      last = now.at;
      actor = {
        name: `people, from ${now.status.replace("document.", "")} of ${document.name}`,
        on: now.status,
        document: { name: document.name },
        steps: [],
      };
      actors.push(actor);
    }
    const input = { ...(step.recipient === undefined ? {} : { recipient: step.recipient }), ...step.input };
    actor.steps.push({
      ...(step.at > last ? { after: durationText(step.at - last) } : {}),
      do: step.act,
      ...(Object.keys(input).length > 0 ? { with: input } : {}),
    });
    last = step.at;
  }
  return actors;
}

function anchorsOf(document: DocumentRow, steps: readonly StoryStep[]): { at: number; status: string }[] {
  return steps.flatMap((step) =>
    step.kind === "change" && step.document === document && !ACTED.has(step.trigger)
      ? [{ at: step.at, status: step.status as string }]
      : [],
  );
}

const ACTED: ReadonlySet<string> = new Set([
  "approve",
  "reject",
  "view",
  "review",
  "accept_review",
  "complete",
  "await_payment",
  "pay",
  "decline",
  "expire",
]);

function expectationsOf(tenant: Tenant, story: Story) {
  const requests = counted(
    story.steps.flatMap((step) =>
      step.kind === "call" && !/WebhookSubscription/.test(step.call.operationId ?? "")
        ? [
            {
              operation: step.call.operationId,
              ...(step.call.status === undefined ? {} : { status: step.call.status }),
              isRead: step.call.method === "GET",
            },
          ]
        : [],
    ),
  ).map(({ value: { isRead, ...match }, count }) => (isRead ? { match, at_least: 1 } : { match, times: count }));
  const nameOf = (id: string) => tenant.store.documents.get(id)?.name;
  const deliveries = counted(
    story.deliveries.map((row) => ({
      event: row.event,
      ...(row.status === null ? {} : { status: row.status }),
      document: { name: nameOf(row.subject) },
      state: row.state,
    })),
  ).map(({ value, count }) => ({ match: value, times: count }));
  const emails = counted(story.emails.map(({ kind, to }) => ({ kind, to }))).map(({ value, count }) => ({
    match: value,
    times: count,
  }));
  const named = counted(story.documents.filter((row) => row.internal.deleted_at === null).map(({ name }) => ({ name })));
  const documents = named.map(({ value, count }) => {
    const row = story.documents.find((one) => one.name === value.name) as DocumentRow;
    return { match: value, count, ...(count === 1 ? { status: row.status, path: [...row.internal.path] } : {}) };
  });
  return {
    requests,
    documents,
    ...(deliveries.length > 0 ? { deliveries } : {}),
    ...(emails.length > 0 ? { emails } : {}),
    unmatched: "none",
  };
}

function counted<T>(values: readonly T[]): { value: T; count: number }[] {
  return [...groupBy(values, (value) => JSON.stringify(value)).values()].map((all) => ({
    value: all[0] as T,
    count: all.length,
  }));
}
