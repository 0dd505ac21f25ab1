import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { EVENTS } from "../../../src/service/nouns/documents/status-machine.ts";
import { sign } from "../../../src/engine/jobs/webhook-signature.ts";
import { aCompletedDocument, anUploadedDocument, simulate, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const FILE = "../shared/reference/webhook-examples.json";

interface Example {
  request: { url: string; headers: Record<string, string> };
  body: { event: string; data: Record<string, unknown> }[];
  raw_body: string;
  signature: string;
}

interface Examples {
  shared_key: string;
  examples: Record<string, Example>;
}

const examples = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Examples) : undefined;
const WITHOUT = examples ? "" : ` (skipped: ${FILE} is not there)`;

/** A test vector. Its signature was computed separately, with openssl. */
const VECTOR = {
  key: "docdoubleSharedKeyxxxx",
  body: '[{"event":"document_state_changed","data":{"id":"a","name":"Zoë & Søn 💶"}}]',
  signature: "e81e1a276d41c2c274b8e5f3987a991e3bc0fb39315c604413624eb858eb048c",
};

describe("signatures", () => {
  test("sign computes the signature of the committed vector", () => {
    expect(sign(VECTOR.body, VECTOR.key)).toBe(VECTOR.signature);
  });

  test.skipIf(!examples)(`sign computes the signature of every example${WITHOUT}`, () => {
    const all = Object.entries(examples?.examples ?? {});
    expect(all.length).toBeGreaterThan(10);
    for (const [name, one] of all) {
      expect([name, sign(one.raw_body, examples?.shared_key ?? "")]).toEqual([name, one.signature]);
      expect([name, new URL(one.request.url).searchParams.get("signature")]).toEqual([name, one.signature]);
      expect(JSON.parse(one.raw_body)).toEqual(one.body);
    }
  });
});

/** Intended differences of our payloads from the examples: missing and extra members, and why. */
const TOLERATED: Record<string, { missing?: string[]; extra?: string[]; why: string }> = {
  document_creation_failed: {
    missing: ["metadata"],
    extra: [
      "autonumbering_sequence_name",
      "date_completed",
      "expiration_date",
      "grand_total",
      "linked_objects",
      "recipients",
      "sent_by",
      "tags",
      "template",
      "version",
    ],
    why: "the failed document is told like any other; its metadata comes with the payload kind of that name",
  },
};

describe("payloads", () => {
  test.skipIf(!examples)(`deliveries have the same members as the examples${WITHOUT}`, async () => {
    const world = await testWorld();
    await succeed(
      world.call("createWebhookSubscription", {
        body: { name: "all", url: "http://127.0.0.1:9/hook", active: true, triggers: [...EVENTS], payload: [] },
      }),
    );
    const id = await aCompletedDocument(world);
    await world.advance("10s");
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    await succeed(world.call("deleteDocument", { params: { id } }));
    await simulate(world, await anUploadedDocument(world), "fail");
    const seen = new Map<string, Record<string, unknown>>();
    for (const row of world.tenant.store.deliveries.all()) {
      const [first, ...others] = JSON.parse(row.body) as Example["body"];
      expect([row.event, first?.event, others]).toEqual([row.event, row.event, []]);
      seen.set(row.event, first?.data ?? {});
    }
    const compared: string[] = [];
    for (const [name, one] of Object.entries(examples?.examples ?? {})) {
      // The plain example of `document_state_changed` has extra payload kinds. Its variants, such as `…#draft`, have none.
      const event = one.body[0]?.event ?? "";
      const ours = seen.get(event);
      if (!ours || name === "document_state_changed" || one.body.length > 1) continue;
      const wanted = Object.keys(one.body[0]?.data ?? {});
      const { missing = [], extra = [] } = TOLERATED[event] ?? {};
      expect([name, Object.keys(ours).sort()]).toEqual([
        name,
        [...wanted.filter((member) => !missing.includes(member)), ...extra].sort(),
      ]);
      compared.push(event);
    }
    expect([...new Set(compared)].sort()).toEqual([
      "document_completed_pdf_ready",
      "document_creation_failed",
      "document_deleted",
      "document_state_changed",
      "document_updated",
      "recipient_completed",
    ]);
  });
});
