/** Plays separate stories in many tenants of one server, all at the same time. Then it reports data that leaked between tenants. */
import type { Sandbox } from "../../src/library/types.ts";

const TEMPLATE = "TemplateOneSignerxxxxx";
/** Clients that call at the same time. */
const AT_ONCE = 50;

type Json = Record<string, unknown>;

/** The client of one tenant: its key, the documents that it created, and the statuses that its sends got. */
interface Client {
  key: string;
  number: number;
  documents: string[];
  statuses: number[];
}

export interface Crowd {
  calls: number;
  /** One line for each foreign, missing or wrong thing in a tenant. Empty when all tenants are isolated. */
  crosstalk: string[];
}

/** All tenants take a step before any takes the next one, `AT_ONCE` at a time. So their calls mix. */
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
  // Every third tenant has a rule that throttles its send. Every second tenant has two documents.
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
    // Each tenant moves its clock by a different time.
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
