/**
 * Every verb on every surface: equal input has equal effects and equal answers, and a refusal is the same sentence. Each surface acts in a
 * separate world, and the worlds share a seed.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { requestOf } from "../../../src/engine/verbs/define.ts";
import { SURFACES, type Verb } from "../../../src/engine/core/verb.ts";
import { adminOperations, verbGroups } from "../../../src/library/surfaces.ts";
import { VERB_NAMES } from "../../../src/cli/verbs.ts";
import { detailOf } from "../../../src/tools/remote/server.ts";
import { Session } from "../../../src/tools/mcp/session.ts";
import { TOOLS } from "../../../src/tools/mcp/tools.ts";
import { refusal } from "../../support/refusal.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";
import { CASES, type Case } from "./cases.ts";

type AnyVerb = Verb<never>;
const verbs: readonly AnyVerb[] = verbGroups.flatMap((group) => group.verbs as readonly AnyVerb[]);

/** Everything that a verb may change, as the admin API shows it. */
async function stateOf(world: TestWorld): Promise<unknown> {
  const paths = [
    "/clock",
    "/documents",
    "/webhooks/deliveries",
    "/emails",
    "/rules",
    "/faults",
    "/scenarios",
    "/snapshots",
    "/requests",
  ];
  const read = paths.map(async (path) => [path, (await world.admin("GET", path)).body] as const);
  const webhooks = await world.call("listWebhookSubscriptions");
  return { ...Object.fromEntries(await Promise.all(read)), webhooks: webhooks.body };
}

function methodOf(world: TestWorld, path: string): (...args: unknown[]) => unknown {
  return path.split(".").reduce<unknown>((one, name) => (one as Record<string, unknown>)[name], world.sandbox) as never;
}

interface Outcome {
  answer: unknown;
  refused: string | undefined;
  state: unknown;
}

type Run = (world: TestWorld, input: Record<string, unknown>) => Promise<Pick<Outcome, "answer" | "refused">>;

async function outcomeOf({ given, input }: Case, run: Run, options = {}): Promise<Outcome> {
  const world = await testWorld(options);
  const names = given ? await given(world) : {};
  const { answer, refused } = await run(world, filled(input, names) as Record<string, unknown>);
  await world.sandbox.clock.settle();
  return { answer: steady(answer), refused, state: steady(await stateOf(world)) };
}

/** Without ports of receivers and real times, which differ between worlds. */
function steady(value: unknown): unknown {
  const text = JSON.stringify(value)
    ?.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:1")
    .replace(/("\w*(?:Time|_ms)":)[\d.]+/g, "$10");
  return text === undefined ? undefined : JSON.parse(text, (name, one: unknown) => (name === "date" ? "" : one));
}

/** Replaces `$name` by what the setup returned. */
function filled(value: unknown, names: Readonly<Record<string, string>>): unknown {
  return JSON.parse(JSON.stringify(value).replace(/\$(\w+)/g, (text, name: string) => names[name] ?? text));
}

const overAdmin =
  (verb: AnyVerb): Run =>
  async (world, input) => {
    const operation = adminOperations.find((one) => one.id === verb.admin?.id);
    if (!operation) throw new Error(`${verb.name} has no operation`);
    const { method, path, body } = requestOf(operation, input);
    const { status, body: answer } = await world.request(method, path, { body });
    return status < 400
      ? { answer, refused: undefined }
      : { answer: undefined, refused: detailOf({ status, body: answer, why: answer.why }) };
  };

const overMethod =
  (path: string): Run =>
  async (world, { args }) => {
    let answer: unknown;
    const message = await refusal(async () => {
      answer = await methodOf(world, path)(...(args as unknown[]));
    });
    return { answer, refused: message === "nothing was refused" ? undefined : message };
  };

const overTool =
  (verb: AnyVerb): Run =>
  async (world, input) => {
    const tool = TOOLS.find((one) => one.name === verb.tool?.name);
    if (!tool) throw new Error(`${verb.name} has no tool`);
    const session = new Session(world.sandbox.url, { key: world.sandbox.apiKey });
    onTestFinished(() => session.close());
    const shown = Object.fromEntries(Object.entries(verb.tool?.names ?? {}).map(([name, member]) => [member, name]));
    const { [verb.tool?.spreads ?? ""]: held, ...own } = input;
    const flat = { ...own, ...(held as object | undefined) };
    const named = Object.fromEntries(Object.entries(flat).map(([member, value]) => [shown[member] ?? member, value]));
    let answer: unknown;
    const message = await refusal(async () => {
      answer = await tool.run(named as never, session);
    });
    return { answer, refused: message === "nothing was refused" ? undefined : message };
  };

const rows = verbs.flatMap(
  (verb) =>
    (CASES as Readonly<Record<string, readonly Case[]>>)[verb.name]?.map((one) => [verb.name, one.input, one] as const) ?? [],
);

describe("a verb", () => {
  test("has each surface, or says why it has none", () => {
    for (const group of verbGroups)
      for (const verb of group.verbs as readonly AnyVerb[])
        for (const surface of SURFACES) {
          const why = verb.without?.[surface] ?? (group.without as Verb["without"])?.[surface];
          const has = surface === "command" ? VERB_NAMES.includes(verb.name) : verb[surface as keyof AnyVerb] !== undefined;
          expect(has || why !== undefined, `${verb.name}: ${surface}`).toBe(true);
          expect(has && verb.without?.[surface] !== undefined, `${verb.name}: ${surface} and a reason against it`).toBe(false);
        }
    expect(new Set(verbs.map((one) => one.name)).size).toBe(verbs.length);
  });

  test.each(rows)("%s %j has equal effects and answers on every surface", async (name, _, one) => {
    const verb = verbs.find((candidate) => candidate.name === name) as AnyVerb;
    const admin = verb.admin ? await outcomeOf(one, overAdmin(verb)) : undefined;
    expect(admin?.refused !== undefined).toBe(one.refused === true);
    for (const [path, args] of Object.entries(one.methods ?? {})) {
      const method = await outcomeOf({ ...one, input: { args } }, overMethod(path));
      if (admin) expect(method.state, path).toEqual(admin.state);
      // The library puts the method before the sentence, which then may begin with a small letter.
      if (admin?.refused !== undefined) expect(method.refused?.toLowerCase(), path).toContain(admin.refused.toLowerCase());
      else expect(method.refused, path).toBeUndefined();
      if (one.same && admin) expect(one.same(method.answer), path).toEqual(one.same(admin.answer));
    }
    if (verb.tool && admin) {
      const tool = await outcomeOf(one, overTool(verb), { port: 0, publicUrl: "http://docdouble.test" });
      expect(tool.refused).toBe(admin.refused);
      expect(tool.answer).toEqual(admin.answer);
      expect(tool.state).toEqual(admin.state);
    }
  });

  test("has a case for each method of the library that does what a verb does", async () => {
    const called = new Set(
      Object.values<readonly Case[]>(CASES).flatMap((all) => all.flatMap((one) => Object.keys(one.methods ?? {}))),
    );
    const { sandbox } = await testWorld();
    const names = pathsOf(sandbox.tenant("test-names"));
    expect(names.filter((path) => !called.has(path) && !ONLY_METHODS.includes(path))).toEqual([]);
  });
});

/** They take or return objects of the test's process, or plant rows. */
const ONLY_METHODS = [
  ...["clock.follow", "clock.settle", "webhooks.receiver", "on", "snapshot"],
  ...["webhooks.subscribe", "templates.create", "contacts.create"],
];

function pathsOf(group: object, prefix = ""): string[] {
  return Object.entries(group).flatMap(([name, value]) => {
    if (typeof value === "function") return [`${prefix}${name}`];
    return typeof value === "object" && value !== null ? pathsOf(value as object, `${prefix}${name}.`) : [];
  });
}
