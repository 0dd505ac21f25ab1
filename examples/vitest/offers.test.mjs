// Run it with: npx vitest run
import { expect, test } from "vitest";
import { useSandbox } from "docdouble/vitest";
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
