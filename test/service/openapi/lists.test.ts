/** The law of lists: no list of another workspace shows an id of this one. */
import { expect, test } from "vitest";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { operations } from "../../../src/service/nouns/index.ts";
import { anotherWorkspace } from "../../support/people.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

/** Lists about the whole organization, and of people who belong to both workspaces. */
const SHARED: readonly string[] = ["getWorkspacesList", "listUsers", "listMembers"];

const LISTS = operations
  .filter(({ id, route }) => route.startsWith("GET ") && !route.includes("{") && /^(list|search)/.test(id))
  .filter(({ id }) => !SHARED.includes(id));

const idsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value].filter((text) => /^[\w-]{20,}$/.test(text))
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(idsIn)
      : [];

test.each(LISTS.map(({ id }) => id as OperationId))("%s shows another workspace nothing of this one", async (id) => {
  const { key } = await anotherWorkspace(world);
  const call = await VALID_CALLS[id](world);
  const own = idsIn((await world.call(id, call)).body);
  const { status, body } = await world.call(id, { ...call, key });
  expect([status, idsIn(body).filter((one) => own.includes(one))]).toEqual([200, []]);
});
