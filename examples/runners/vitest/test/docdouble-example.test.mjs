// An example. Replace sendOffer with your client: give it the url and the key of docdouble(). Run it with: npx vitest run
import { expect, test } from "vitest";
import { useDocdouble } from "./docdouble.mjs";

const docdouble = useDocdouble();

async function sendOffer(call) {
  const recipient = { email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" };
  const offer = { name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients: [recipient] };
  const { body } = await call("POST", "/public/v1/documents", offer);
  const path = `/public/v1/documents/${body.id}`;
  while ((await call("GET", path)).body.status === "document.uploaded") {
    await new Promise((resolve) => setTimeout(resolve, 1000)); // docdouble moves its clock while you wait
  }
  const { status } = await call("POST", `${path}/send`, { silent: true });
  return { status, path };
}

test("an offer is sent", async () => {
  const double = docdouble();
  const { status, path } = await sendOffer((...call) => double.call(...call));
  expect(status).toBe(200);
  expect((await double.call("GET", path)).body.status).toBe("document.sent");
});
