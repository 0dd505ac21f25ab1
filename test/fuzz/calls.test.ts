import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OperationId } from "../../src/service/nouns/index.ts";
import { operations } from "../../src/service/nouns/index.ts";
import { dialectOf } from "../../src/service/kit/world.ts";
import { VALID_CALLS } from "../support/valid-calls.ts";
import { type Answer, type TestWorld, testWorld, toAnswer } from "../support/world.ts";
import { build, type Built, damage } from "./requests.ts";
import { hold, isLong, TIMEOUT_MS } from "./run.ts";

type Operation = (typeof operations)[number];

/** Statuses that any operation may answer before its handler runs: see docs/look-up/limits.md. */
const TRANSPORT = [400, 404, 405, 413];

/** Operations that read the document after an accepted call. */
const READS: readonly OperationId[] = [
  "detailsDocument",
  ...(isLong
    ? (["statusDocument", "listDocumentFields", "listSections", "getDocumentContent", "downloadDocument"] as const)
    : []),
];

async function ask(world: TestWorld, { path, init }: Built): Promise<Answer | undefined> {
  let request: Request;
  try {
    request = new Request(new URL(path, "http://docdouble.test"), init);
  } catch {
    // No client can send this request.
    return undefined;
  }
  return toAnswer(await world.sandbox.fetch(request));
}

function check(one: Operation, { isElsewhere }: Built, { status, body }: Answer, changed: boolean): void {
  const declared = [...Object.keys(one.responses).map(Number), ...one.errors, ...TRANSPORT];
  const answerText = `${one.id} answered ${status} ${JSON.stringify(body)?.slice(0, 300)}`;
  if (!isElsewhere) expect(declared, answerText).toContain(status);
  expect(status, answerText).toBeLessThan(500);
  if (status < 400) return;
  expect(changed, `${answerText} and changed something`).toBe(false);
  const dialect = dialectOf(one);
  if (isElsewhere || body.info_message) return;
  if (dialect === "v2") expect(body.code ?? body.error?.code, answerText).toEqual(expect.any(String));
  else if (dialect === "oauth") expect(body, answerText).toEqual({ error: expect.any(String) });
  else expect(body, answerText).toMatchObject({ type: expect.any(String), detail: expect.anything() });
}

/** Checks that the document and the list of an accepted call can be read. */
async function readBack(world: TestWorld, one: Operation, answer: Answer, base: { params?: Record<string, string> }) {
  const { body } = answer;
  const isDocument = one.route.includes("/public/v1/documents");
  const id = isDocument ? (base.params?.id ?? base.params?.document_id ?? body?.id) : undefined;
  if (typeof id === "string") {
    for (const read of READS) {
      const { status, body: found } = await world.call(read, {
        params: { id, document_id: id },
        query: read === "getDocumentContent" ? { format: "markdown" } : {},
      });
      expect(status, `${read} after ${one.id}: ${JSON.stringify(found)?.slice(0, 300)}`).toBeLessThan(500);
    }
  }
  const list = operations.find((other) => other.route === one.route.replace(/^\w+ (.*?)(\?.*|\/\{.*)?$/, "GET $1"));
  if (list) {
    const { status, body: found } = await world.call(list.id as OperationId, { query: { count: 10, page: 1 } });
    expect(status, `${list.id} after ${one.id}: ${JSON.stringify(found)?.slice(0, 300)}`).toBeLessThan(500);
  }
}

const DAMAGES = fc.array(damage(), { minLength: 1, maxLength: 3 });

describe("fuzz: calls of every operation", () => {
  test("each call gets a declared status, a refused call changes nothing, and accepted data can be read", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const world = await testWorld();
    const snapshot = world.tenant.snapshot();
    for (const one of operations) {
      const base = await VALID_CALLS[one.id as OperationId](world);
      const ready = world.tenant.snapshot();
      let changed = false;
      const stop = world.tenant.eventStream.watch(() => {
        changed = true;
      });
      await hold(
        fc.asyncProperty(DAMAGES, async (damages) => {
          changed = false;
          const built = build(one, base, damages);
          const answer = await ask(world, built);
          if (!answer) return;
          check(one, built, answer, changed);
          if (answer.status < 300 && changed) {
            await readBack(world, one, answer, base);
            world.tenant.restore(ready);
          }
        }),
        3,
        0.6 / operations.length,
      );
      stop();
      world.tenant.restore(snapshot);
    }
    expect((await world.call("listMembers")).status).toBe(200);
  });
});
