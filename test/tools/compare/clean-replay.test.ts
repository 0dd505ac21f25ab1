/** Tests that cleaning changes no word of the API: a cleaned cassette replays exactly as the recorded traffic does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { operations, type OperationId } from "../../../src/service/nouns/index.ts";
import { readCassette } from "../../../src/tools/compare/cassette.ts";
import { CassetteWriter } from "../../../src/tools/compare/cassette-writer.ts";
import { Comparison } from "../../../src/tools/compare/comparison.ts";
import { DoubleSide } from "../../../src/tools/compare/double-side.ts";
import { replayCassette } from "../../../src/tools/compare/replay.ts";
import { files } from "../../support/process.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { VALID_CALLS } from "../../support/valid-calls.ts";
import { type TwoSides, twoSides } from "../../support/two-sides.ts";
import { NOW, type TestWorld } from "../../support/world.ts";

const REAL = "https://api.service.test";

/** The differences of the traffic as it is, and of its cassette. */
async function both(sides: TwoSides): Promise<{ raw: string[]; clean: string[]; text: string }> {
  const file = join(files(), "story.cassette");
  const double = await DoubleSide.start({ seed: 3, now: NOW, isOffline: true });
  const comparison = new Comparison({ double, realUrl: REAL });
  const writer = await CassetteWriter.start({ file, realUrl: REAL, keys: ["unused-real-key-0123456789"], double: { seed: 3 } });
  for (const { request, answer } of sides.calls) {
    await writer.call(request, answer, 0, double.apiKey);
    await comparison.call(request, answer, 0);
  }
  await writer.close();
  await double.close();
  const show = (all: { operation: string; kind: string; pointer: string }[]) =>
    all.map(({ operation, kind, pointer }) => `${operation} ${kind} ${pointer}`).sort();
  const clean = await replayCassette({ ...readCassette(file), header: { cassette: 1, by: "docdouble", at: NOW } }, { seed: 3 });
  return { raw: show(comparison.report().differences), clean: show(clean.differences), text: readFileSync(file, "utf8") };
}

describe("cleaning changes no word of the API", () => {
  /** Its query is a text that the name of the document contains, and two replacements do not contain each other. */
  const SEARCHES = ["searchDocumentsAi"];

  test.each(operations.map((one) => one.id as OperationId).filter((id) => !SEARCHES.includes(id)))(
    "the story of %s replays from its cassette as from the traffic",
    async (id) => {
      const sides = await twoSides({});
      await sides.call(id, await VALID_CALLS[id](sides as unknown as TestWorld));
      const { raw, clean } = await both(sides);
      expect(clean).toEqual(raw);
    },
  );

  test("a word of the API stays, although a name, a field and a tag of the account are the same word", async () => {
    const sides = await twoSides({});
    const words = ["signer", "document.draft", "recipient", "GET", "status", "email"];
    const made = await sides.call("createDocument", {
      body: {
        name: "signer",
        template_uuid: TEMPLATES.oneSigner,
        recipients: [{ ...CLIENT, first_name: "signer", last_name: "document.draft" }],
        fields: { Company: { value: "signer" } },
        tags: words,
        metadata: Object.fromEntries(words.map((word) => [word, word])),
      },
    });
    const params = { id: made.body.id };
    await sides.advance("5s");
    await sides.call("detailsDocument", { params });
    await sides.call("listDocuments", { query: { status: "0", order_by: "name", metadata_signer: "signer" } });
    await sides.call("sendDocument", { params, body: { silent: true, subject: "signer" } });
    const { raw, clean, text } = await both(sides);
    expect(clean).toEqual(raw);
    expect(text).toContain('"recipient_type":"signer"');
    expect(text).toContain('"status":"document.draft"');
    expect(text).toContain('"type":"recipient"');
    expect(text).toContain('"rel":"status"');
    expect(text).toContain("order_by=name");
    expect(text).not.toContain('"first_name":"signer"');
    expect(text).not.toContain('"last_name":"document.draft"');
    expect(text).not.toContain('"name":"signer"');
    expect(text).not.toContain('"value":"signer"');
  });

  test("a search for a part of a name replays without a difference, and a search for the whole name still counts", async () => {
    const sides = await twoSides({});
    for (const name of ["Zebra offer", "Yak deal"])
      await sides.call("createDocument", { body: { name, template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] } });
    await sides.advance("5s");
    await sides.call("listDocuments", { query: { q: "zebra" } });
    expect((await both(sides)).clean).toEqual([]);
    await sides.call("listDocuments", { query: { q: "Yak deal" } });
    expect((await both(sides)).clean).toEqual([]);
    // The real service found a document that the double does not find by its whole name.
    const last = sides.calls.at(-1) as (typeof sides.calls)[number];
    const body = JSON.parse(last.answer.body.toString("utf8"));
    body.results.push({ ...body.results[0], id: "AnotherDocumentxxxxxxx" });
    sides.calls[sides.calls.length - 1] = { ...last, answer: { ...last.answer, body: Buffer.from(JSON.stringify(body)) } };
    const { raw, clean } = await both(sides);
    expect(clean).toEqual(raw);
  });
});
