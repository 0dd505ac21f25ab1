/** Many tenants of one server side by side: each plays a story of its own, all in turns, and then each is looked at for what is not its own. */
import type { Sandbox } from "../src/types.ts";

const TEMPLATE = "TemplateOneSignerxxxxx";
/** As many as a page of the list holds in each round. */
const AT_ONCE = 50;

type Json = Record<string, unknown>;

/** What a tenant's client knows. */
interface Client {
  key: string;
  number: number;
  documents: string[];
  statuses: number[];
}

export interface Crowd {
  calls: number;
  /** One line for each thing that a tenant should not have or be; empty when all is well. */
  crosstalk: string[];
}

/** Every tenant's calls are mixed with those of all others, in `AT_ONCE` at a time. */
export async function crowd(sandbox: Pick<Sandbox, "fetch">, tenants: number): Promise<Crowd> {
  let calls = 0;
  const call = async (key: string, method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }> => {
    calls++;
    const headers = { authorization: `API-Key ${key}`, "content-type": "application/json" };
    const answer = await sandbox.fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith("{") ? (JSON.parse(text) as Json) : {} };
  };
  const clients: Client[] = Array.from({ length: tenants }, (_, number) => ({
    key: `test-crowd-${number}`,
    number,
    documents: [],
    statuses: [],
  }));
  // Every third is told "throttled" at its send by a rule of its own, every second has two documents.
  const isThrottled = (client: Client) => client.number % 3 === 0;
  const documentsOf = (client: Client) => 1 + (client.number % 2);
  const create = async (client: Client) => {
    const body = {
      name: `${client.key} ${client.documents.length}`,
      template_uuid: TEMPLATE,
      recipients: [{ email: `p${client.number}@client.example`, role: "Client" }],
    };
    client.documents.push((await call(client.key, "POST", "/public/v1/documents", body)).body.id as string);
  };
  const rounds: ((client: Client) => Promise<unknown>)[] = [
    create,
    (client) => (documentsOf(client) > 1 ? create(client) : Promise.resolve()),
    (client) =>
      isThrottled(client)
        ? call(client.key, "POST", "/__admin/rules", {
            name: client.key,
            when: { operation: "sendDocument" },
            then: { error: "throttled", times: 1 },
          })
        : Promise.resolve(),
    // Each clock moves by its own time.
    (client) => call(client.key, "POST", "/__admin/clock/advance", { by: `${10 + client.number}s` }),
    async (client) => {
      const sent = await call(client.key, "POST", `/public/v1/documents/${client.documents[0]}/send`, { silent: true });
      client.statuses.push(sent.status);
    },
  ];
  for (const round of rounds) await inTurns(clients, round);
  const crosstalk: string[] = [];
  const ids = new Set<string>();
  const start = Date.parse(((await call(sandboxKey, "GET", "/__admin/clock")).body.now as string) ?? "");
  await inTurns(clients, async (client) => {
    const expected = client.documents.map((_, i) => `${client.key} ${i}`).sort();
    const { results } = (await call(client.key, "GET", "/public/v1/documents")).body as { results: Json[] };
    const found = results.map((one) => one.name as string).sort();
    const note = (what: string) => crosstalk.push(`${client.key}: ${what}`);
    if (found.join() !== expected.join()) note(`lists ${found.join(", ")}`);
    if (client.statuses.join() !== (isThrottled(client) ? "429" : "200")) note(`its send answered ${client.statuses.join()}`);
    for (const id of client.documents) if (ids.size === ids.add(id).size) note(`has the id ${id} of another`);
    const now = Date.parse((await call(client.key, "GET", "/__admin/clock")).body.now as string);
    if (now !== start + (10 + client.number) * 1000) note(`its clock stands at ${new Date(now).toISOString()}`);
    const journal = (await call(client.key, "GET", "/__admin/requests")).body as { requests: { request: Json }[] };
    const foreign = journal.requests.filter((one) => !JSON.stringify(one.request.headers).includes(client.key.slice(-4)));
    if (foreign.length > 0 || journal.requests.length !== client.documents.length + 2)
      note(`its journal has ${journal.requests.length} calls, ${foreign.length} of others`);
    const other = clients[(client.number + 1) % clients.length] as Client;
    const { status } = await call(client.key, "GET", `/public/v1/documents/${other.documents[0]}`);
    if (other !== client && status !== 404) note(`sees a document of ${other.key}: ${status}`);
  });
  return { calls, crosstalk };
}

const sandboxKey = "docdouble-key";

async function inTurns(clients: readonly Client[], run: (client: Client) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < clients.length; i += AT_ONCE) await Promise.all(clients.slice(i, i + AT_ONCE).map(run));
}
