// Run it with: node --test
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { assertReceived, useSandbox } from "docdouble/node-test";
import { sendOffer } from "./offers.mjs";

const file = (name) => join(import.meta.dirname, name);

// Starts a server on a free port for this file, and resets it after each test. Its clock stands still until a test moves it.
const sandbox = useSandbox({
  port: 0,
  clock: "frozen",
  fixtures: file("fixtures.yaml"),
  scenario: file("scenario.yaml"),
});
const wait = (seconds) => sandbox.clock.advance(`${seconds}s`);
const offer = () => sendOffer({ url: sandbox.url, apiKey: sandbox.apiKey, name: "Offer 42", email: "pat@client.example", wait });

test("an offer is sent although the service is busy, and signed two hours later", async () => {
  const id = await offer();
  assert.equal(sandbox.documents.get(id).status, "document.sent");
  // The rule of the scenario refuses the first call. The second one succeeds.
  assertReceived(sandbox, "sendDocument", { times: 2 });

  await sandbox.clock.advance("2h");
  assert.equal(sandbox.documents.get(id).status, "document.completed");
  await sandbox.verify();
});

test("an offer that the client declines", async () => {
  const id = await offer();
  sandbox.documents.simulate(id, "decline", { reason: "too expensive" });
  assert.equal(sandbox.documents.get(id).status, "document.declined");
});
