// Run it with: NODE_OPTIONS=--experimental-vm-modules npx jest
// This test is an ES module, which Jest loads with that option only. A CommonJS test needs no option.
import { expect, test } from "@jest/globals";
import { useSandbox } from "docdouble/jest";
import { sendOffer } from "../starter/offers.mjs";

const sandbox = useSandbox({ clock: "frozen" });

test("an offer is sent once", async () => {
  const { url, apiKey } = sandbox;
  const wait = (seconds) => sandbox.clock.advance(`${seconds}s`);
  const id = await sendOffer({
    url,
    apiKey,
    name: "Offer 42",
    email: "pat@client.example",
    template: "TemplateOneSignerxxxxx",
    wait,
  });

  expect(sandbox).toHaveReceived("createDocument", { times: 1, body: { name: "Offer 42" } });
  expect(sandbox).toHaveReceived("sendDocument", { times: 1 });
  expect(sandbox).not.toHaveReceived("deleteDocument");
  expect(sandbox.documents.get(id).status).toBe("document.sent");
});
