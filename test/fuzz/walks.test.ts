/** Random walks through the operations, on two equal sides and on two sides with noise. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OperationId } from "../../src/service/nouns/index.ts";
import { operations } from "../../src/service/nouns/index.ts";
import type { CallAnswer } from "../../src/tools/compare/exchange.ts";
import { Ids } from "../../src/engine/core/ids.ts";
import { VALID_CALLS } from "../support/valid-calls.ts";
import { type TwoSides, twoSides } from "../support/two-sides.ts";
import { CLIENT, DIRECTOR, TEMPLATES } from "../support/stories.ts";
import type { TestWorld } from "../support/world.ts";
import { law } from "../support/law.ts";

/** The number of walks: few in the suite, a thousand under `npm run fuzz`. */
const WALKS = process.env.FUZZ_SECONDS === undefined ? 30 : 1000;
const TIMEOUT_MS = WALKS * 3000 + 60_000;

const ACTS = ["view", "sign", "decline", "approve", "reject", "pay", "expire", "lock", "unlock", "process"] as const;
const READS: OperationId[] = [
  ...(["statusDocument", "detailsDocument", "downloadDocument", "listDocumentFields"] as const),
  ...(["listSections", "listDocumentAuditTrail", "documentSettingsGet"] as const),
];
const LISTS: OperationId[] = [
  ...(["listDocuments", "listContacts", "listTemplates", "listDocumentFolders"] as const),
  ...(["listLogs", "listWebhookSubscriptions", "listMembers"] as const),
];
const OPERATION_IDS = operations.map((one) => one.id as OperationId);

/** A step of a walk: the story of one operation, a call or act about a document of this walk, a list, or a wait. */
const STEP = fc.oneof(
  { weight: 4, arbitrary: fc.record({ story: fc.constantFrom(...OPERATION_IDS) }) },
  { weight: 2, arbitrary: fc.record({ create: fc.constantFrom("oneSigner", "twoSigners", "approval", "payment" as const) }) },
  { weight: 6, arbitrary: fc.record({ about: fc.nat(), read: fc.constantFrom(...READS) }) },
  {
    weight: 4,
    arbitrary: fc.record({ about: fc.nat(), write: fc.constantFrom("send", "session", "update", "status", "revert", "delete") }),
  },
  { weight: 3, arbitrary: fc.record({ about: fc.nat(), act: fc.constantFrom(...ACTS) }) },
  { weight: 3, arbitrary: fc.record({ list: fc.constantFrom(...LISTS) }) },
  { weight: 3, arbitrary: fc.record({ advance: fc.constantFrom("1s", "5s", "1h", "61d") }) },
);

type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

async function take(sides: TwoSides, step: Step, documents: string[]): Promise<void> {
  const about = "about" in step ? (documents[step.about % Math.max(1, documents.length)] ?? "NoSuchDocumentxxxxxxxx") : "";
  const params = { id: about, document_id: about };
  if ("story" in step) {
    try {
      await sides.call(step.story, await VALID_CALLS[step.story](sides as unknown as TestWorld));
    } catch {
      // An earlier step removed something that the story needs. Its calls are compared anyway.
    }
  } else if ("create" in step) {
    const recipients = step.create === "twoSigners" ? [CLIENT, DIRECTOR] : [CLIENT];
    const made = await sides.call("createDocument", {
      body: { name: "Walk", template_uuid: TEMPLATES[step.create], recipients },
    });
    if (made.status === 201) documents.push(made.body.id);
  } else if ("read" in step) await sides.call(step.read, { params });
  else if ("list" in step) await sides.call(step.list);
  else if ("advance" in step) await sides.advance(step.advance);
  else if ("act" in step) await sides.admin("POST", `/documents/${about}/simulate/${step.act}`, {});
  else if (step.write === "send") await sides.call("sendDocument", { params, body: { silent: false } });
  else if (step.write === "session") await sides.call("createDocumentLink", { params, body: { recipient: CLIENT.email } });
  else if (step.write === "update") await sides.call("updateDocument", { params, body: { name: "Renamed" } });
  else if (step.write === "status") await sides.call("changeDocumentStatus", { params, body: { status: 2 } });
  else if (step.write === "revert") await sides.call("documentRevertToDraft", { params });
  else await sides.call("deleteDocument", { params });
}

async function walk(steps: readonly Step[], noise?: (answer: CallAnswer) => CallAnswer) {
  const sides = await twoSides(noise ? { noise } : {});
  const documents: string[] = [];
  for (const step of steps) await take(sides, step, documents);
  await sides.comparison.finish(0);
  await sides.close();
  return sides.comparison.report();
}

/** Adds a member to every object and shuffles every list. */
function noisy(): (answer: CallAnswer) => CallAnswer {
  const random = new Ids("noise");
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const changed = value.map(change);
      for (let i = changed.length - 1; i > 0; i--) {
        const j = random.between(0, i);
        [changed[i], changed[j]] = [changed[j], changed[i]];
      }
      return changed;
    }
    if (typeof value !== "object" || value === null) return value;
    return { ...Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one)])), added_by_noise: true };
  };
  return (answer) => {
    if (!answer.headers["content-type"]?.startsWith("application/json") || answer.body.length === 0) return answer;
    return { ...answer, body: Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString("utf8"))))) };
  };
}
const STEPS = fc.array(STEP, { minLength: 1, maxLength: 14 });

describe("compare: random walks", () => {
  test("two equal sides with different ids show no difference", { timeout: TIMEOUT_MS }, async () => {
    await law(
      fc.asyncProperty(STEPS, async (steps) => {
        expect((await walk(steps)).differences).toEqual([]);
      }),
      { numRuns: WALKS },
    );
  });

  test("shuffled lists show no difference, and added members show only as missing at the double", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await law(
      fc.asyncProperty(STEPS, async (steps) => {
        const others = (await walk(steps, noisy())).differences.filter(
          (one) => one.kind !== "missing" || !one.pointer.endsWith("/added_by_noise"),
        );
        expect(others).toEqual([]);
      }),
      { numRuns: Math.ceil(WALKS / 3) },
    );
  });

  test("the story of every operation shows no difference between two equal sides", { timeout: TIMEOUT_MS }, async () => {
    for (const story of OPERATION_IDS) {
      const { calls, differences } = await walk([{ story }]);
      expect(calls, story).toBeGreaterThan(0);
      expect(differences, story).toEqual([]);
    }
  });
});
