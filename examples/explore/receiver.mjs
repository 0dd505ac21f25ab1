// A webhook receiver that `docdouble explore` starts in each run: it subscribes itself, makes a document, and ends after its download.
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

const { DOCDOUBLE_URL: url, DOCDOUBLE_API_KEY: key } = process.env;
const headers = { authorization: `API-Key ${key}`, "content-type": "application/json" };
const call = (method, path, body) =>
  fetch(`${url}/public/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });

let sharedKey;
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const got = Buffer.from(new URL(request.url, "http://local").searchParams.get("signature") ?? "");
  const wanted = Buffer.from(createHmac("sha256", sharedKey).update(body).digest("hex"));
  const isGenuine = got.length === wanted.length && timingSafeEqual(got, wanted);
  // Answer first, then work: a slow answer counts as none, and the event comes again.
  response.writeHead(isGenuine ? 200 : 401).end();
  if (isGenuine) for (const { data } of JSON.parse(body)) await work(data);
});

async function work({ id, status }) {
  if (status === "document.draft") await call("POST", `/documents/${id}/send`, { silent: true });
  if (status === "document.completed" && (await call("GET", `/documents/${id}/download`)).ok) process.exit(0);
}

server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = `http://127.0.0.1:${server.address().port}/`;
const subscription = { name: "app", url: address, triggers: ["document_state_changed"] };
({ shared_key: sharedKey } = await (await call("POST", "/webhook-subscriptions", subscription)).json());

const recipients = [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }];
await call("POST", "/documents", { name: "Offer 42", template_uuid: "TemplateOneSignerxxxxx", recipients });
