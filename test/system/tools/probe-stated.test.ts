/** Stories of assumptions with one reading: a default double confirms them, and changed answers contradict them. */
import { expect, test } from "vitest";
import { isSwitch } from "../../../src/service/assumptions/switches.ts";
import type { CallAnswer } from "../../../src/tools/compare/exchange.ts";
import { storiesFor } from "../../../src/tools/probe/stories/index.ts";
import type { Story } from "../../../src/tools/probe/stories/story.ts";
import { type Alteration, actor } from "../../support/probe-actor.ts";
import { SANDBOX_KEY } from "../../support/world.ts";

const ALTERATIONS: Record<string, Alteration> = {
  "another status": (answer) => ({ ...answer, status: answer.status < 300 ? 404 : 202 }),
  "an empty body": ({ status }) => ({
    status,
    headers: { "content-type": "application/json" },
    body: Buffer.from("{}"),
  }),
};

/** Reverses lists. Only stories about an order notice it. */
const reversed: Alteration = (answer) => {
  const body: unknown = JSON.parse(answer.body.toString("utf8"), (_, value) =>
    Array.isArray(value) ? value.toReversed() : value,
  );
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
};

/** Changes the answer to one call. */
function only(nth: number, alter: Alteration): Alteration {
  return (answer, request, n) => (n === nth ? alter(answer, request, n) : answer);
}

/** Alters a call and all later ones, because a story looks again for what a list may show late. */
function from(nth: number, alter: Alteration): Alteration {
  return (answer, request, n) => (n >= nth ? alter(answer, request, n) : answer);
}

/** The members of the default world have equal dates, so they show no order. */
const OTHER_WORLD = "members.order";
const STATED = [...storiesFor(SANDBOX_KEY)].filter(([id]) => !isSwitch(id) && id !== OTHER_WORLD);

/** Only different values contradict these stories. `otherwise-documents.test.ts` covers them. */
const NEED_OTHER_VALUES = [
  "pricing.combined_discounts",
  "pricing.discount_places",
  "pricing.merge_names",
  "pricing.option_kind",
  "pricing.table_order",
  "pricing.unnamed_discount",
  "pricing.unselected_row",
  "revert.uploaded",
  "search.root_folder",
  "search.time_spans",
  "sections.field_names",
];

test("a default double confirms each story and keeps nothing, and changed answers never confirm", async () => {
  const { tell, holdings, before } = await actor();
  const silent: string[] = [];
  for (const [id, story] of STATED) {
    const clean = await tell(story);
    expect(clean.seen, id).toBe("as_stated");
    expect(holdings(), id).toEqual(before);
    // The last call of a story decides. After one wrong answer, a story may look again and rightly confirm.
    const seen: unknown[] = [];
    for (const [name, by] of Object.entries(ALTERATIONS)) {
      const altered = await tell(story, from(clean.calls, by));
      expect(altered.seen, `${id} with ${name}`).not.toBe("as_stated");
      const once = await tell(story, only(clean.calls, by));
      seen.push(altered.seen, once.seen === "as_stated" ? undefined : once.seen);
    }
    if (seen.some((one) => one !== undefined)) continue;
    const { seen: contradiction } = await tell(story, from(clean.calls, reversed));
    if (contradiction === undefined || contradiction === "as_stated") silent.push(id);
  }
  expect(silent.sort()).toEqual(NEED_OTHER_VALUES);
});

test("a 403 for a missing permission decides nothing", async () => {
  const { tell } = await actor();
  const story = storiesFor(SANDBOX_KEY).get("catalog.not_found") as Story;
  expect(
    (
      await tell(
        story,
        only(1, (answer) => ({ ...answer, status: 403 })),
      )
    ).seen,
  ).toBeUndefined();
});

/** This story only reads. */
const READS = "rate_limit.profile";

test("a story keeps nothing, even when the answer to one of its changes is lost", async () => {
  const { tell, holdings, before } = await actor();
  for (const [id, story] of storiesFor(SANDBOX_KEY)) {
    if (id === READS) continue;
    const changes: number[] = [];
    await tell(story, (answer, { method }, nth) => {
      if (method !== "GET" && answer.status < 300) changes.push(nth);
      return answer;
    });
    const lost: CallAnswer = { status: 0, headers: {}, body: Buffer.alloc(0), failure: "ECONNRESET" };
    for (const nth of changes) {
      await tell(
        story,
        only(nth, () => lost),
      );
      expect(holdings(), `${id} without the answer to call ${nth}`).toEqual(before);
    }
  }
});

/** This story polls, so the next answer decides. */
const POLLS = "field_tags.undeclared";

test("an answer that no reading of a switch expects is never reported as a reading", async () => {
  const { tell } = await actor();
  const decided: string[] = [];
  for (const [id, story] of storiesFor(SANDBOX_KEY)) {
    if (!isSwitch(id) || id === READS || id === POLLS) continue;
    const { calls } = await tell(story);
    const { seen } = await tell(
      story,
      only(calls, (answer) => ({ ...answer, status: 418, body: Buffer.from("{}") })),
    );
    if (seen !== undefined) decided.push(`${id}: ${seen}`);
  }
  expect(decided).toEqual([]);
});
