// The code under test: it sends an offer for signature. Replace it with your own code.
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Creates a document, polls until it is a draft, and sends it. After a 429 it waits for the time in `Retry-After`.
 * `wait` takes seconds. A test passes a function that moves docdouble's clock instead of sleeping.
 */
export async function sendOffer({
  url,
  apiKey,
  name,
  email,
  template = "OfferTemplatexxxxxxxxx",
  wait = (s) => sleep(s * 1000),
}) {
  const call = async (method, path, body) => {
    const response = await fetch(`${url}/public/v1${path}`, {
      method,
      headers: { authorization: `API-Key ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status === 429) {
      await wait(Number(response.headers.get("retry-after") ?? 1));
      return call(method, path, body);
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  const { id } = await call("POST", "/documents", {
    name,
    template_uuid: template,
    recipients: [{ email, first_name: "Pat", last_name: "Lee", role: "Client" }],
  });
  // A new document is processed for some seconds before it can be sent.
  for (let polls = 0; (await call("GET", `/documents/${id}`)).status !== "document.draft"; polls++) {
    if (polls === 30) throw new Error(`${id} did not become a draft`);
    await wait(1);
  }
  await call("POST", `/documents/${id}/send`, { subject: name, message: "Please sign.", silent: true });
  return id;
}

// Runs as a command too. `docdouble run` sets both variables.
if (process.argv[1] === import.meta.filename) {
  const { DOCDOUBLE_URL: url, DOCDOUBLE_API_KEY: apiKey } = process.env;
  if (!url) throw new Error("Start this program with: npx docdouble run scenario.yaml -- node offers.mjs");
  console.log("sent", await sendOffer({ url, apiKey, name: "Offer 42", email: "pat@client.example" }));
}
