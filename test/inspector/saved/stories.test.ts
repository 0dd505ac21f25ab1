/** Plays each ready-made story with a correct client, and with faulty clients if the story has them. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { integration } from "../../support/integration.ts";
import { READY_STORIES, type ReadyStory } from "../../support/ready-stories.ts";
import { testWorld } from "../../support/world.ts";

const play = async (name: string, story: Pick<ReadyStory, "play">) => {
  const world = await testWorld({ scenario: `scenarios/${name}.yaml` });
  await story.play(await integration(world));
  await world.advance("0s");
  const { findings } = (await world.admin("GET", "/contract")).body;
  // The system chooses the receiver's port.
  const { requests } = (await world.admin("GET", "/requests")).body;
  const journal = JSON.stringify(requests).replace(/127\.0\.0\.1:\d+/g, "receiver");
  return { verdict: { findings, ...(await world.admin("POST", `/scenarios/${name}/verify`)).body }, journal };
};

test("every ready-made scenario has its story here", () => {
  const names = readdirSync("scenarios").map((file) => file.replace(/\.yaml$/, ""));
  expect(Object.keys(READY_STORIES).sort()).toEqual(names.sort());
});

describe.each(Object.entries(READY_STORIES))("%s", (name, story) => {
  test(`${name}: a correct client meets all expectations without findings, and two runs give an identical journal`, async () => {
    const { verdict, journal } = await play(name, story);
    expect(verdict).toEqual({ name, verified: true, unmet: [], findings: [] });
    expect((await play(name, story)).journal).toBe(journal);
  });

  test.each(Object.entries(story.wrong ?? {}))(`${name}: a faulty client misses expectations: %s`, async (_, wrong) => {
    const { verified: holds, unmet } = (await play(name, wrong)).verdict;
    expect(holds).toBe(false);
    const lines = unmet.map((one: Record<string, string>) => `${one.text}: expected ${one.expected}, found ${one.found}`);
    for (const line of wrong.unmet) expect(lines).toContainEqual(expect.stringMatching(line));
  });
});
