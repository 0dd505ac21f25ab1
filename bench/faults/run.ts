/** Plays one seed: a client calls a server with faults. At the end, client and server should agree on every document. */
import { service } from "../../src/service/service.ts";
import { createSandbox, hostOf } from "../../src/library/sandbox.ts";
import { readScenario } from "../../src/engine/scenario/load.ts";
import { type Belief, Client } from "./client.ts";
import { type Plan, planOf } from "./plan.ts";
import type { WebhookReceiver } from "./receiver.ts";

export interface Outcome {
  plan: Plan;
  /** One line for each point on which client and server disagree, and for each bug. Empty when all is well. */
  disagreements: string[];
  /** Faults that the client met. */
  faults: number;
  /** Documents that a repeated create made again. The contract report names each of them. */
  doubled: number;
  log: string[];
}

const KEY = "docdouble-key";
const NOW = "2026-03-02T09:00:00Z";

interface Finding {
  kind: string;
  message: string;
  entries: string[];
  times: number;
}

export async function run(seed: number, receiver: WebhookReceiver): Promise<Outcome> {
  const plan = planOf(seed);
  const bugs: unknown[] = [];
  await using sandbox = await createSandbox({
    port: 0,
    seed,
    clock: "frozen",
    now: NOW,
    strict: true,
    onBug: (bug) => bugs.push(bug),
  });
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `API-Key ${KEY}`, "content-type": "application/json" };
    const answer = await sandbox.fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return (await answer.json()) as Record<string, unknown>;
  };
  const { url, received } = receiver.open(`seed-${seed}`, plan.receiverFails);
  const triggers = ["document_state_changed", "recipient_completed", "document_creation_failed"];
  received.key = (await call("POST", "/public/v1/webhook-subscriptions", { name: "App", url, triggers })).shared_key as string;
  const tenant = hostOf(sandbox).defaultTenant;
  tenant.load(readScenario(JSON.stringify(plan.scenario), `faults-${seed}`, service.language));

  const client = new Client({
    url: sandbox.url,
    key: KEY,
    sleep: (ms) => sandbox.clock.advance(ms),
    now: () => sandbox.clock.now(),
    isHasty: plan.isHasty,
  });
  const disagreements: string[] = [];
  const beliefs: [key: string, belief: Belief][] = [];
  for (const order of plan.orders) {
    try {
      beliefs.push([order.key, await client.carryOut(order)]);
    } catch (error) {
      disagreements.push(`${order.key}: the client gave up: ${(error as Error).message.slice(0, 300)}`);
    }
  }
  // All delays and retries of webhooks end within this time.
  await sandbox.clock.advance("3h");

  const { findings } = (await call("GET", "/__admin/contract")) as unknown as { findings: Finding[] };
  const doubles = findings.filter((one) => one.kind === "duplicate_create");
  for (const one of findings.filter((finding) => finding.kind !== "duplicate_create"))
    disagreements.push(`the contract report says ${one.kind}: ${one.message}`);
  let doubled = 0;
  for (const [key, belief] of beliefs) {
    const rows = tenant.store.documents.all().filter((row) => row.metadata.order === key);
    const extra = rows.length - 1;
    doubled += Math.max(0, extra);
    const named = doubles
      .filter((one) => one.entries.some((id) => tenant.journal.get(id)?.body.includes(`"${key}"`)))
      .reduce((sum, { times }) => sum + times, 0);
    if (extra !== named) disagreements.push(`${key}: ${rows.length} documents, and the report names ${named} of them as doubled`);
    if (extra > 0 && !plan.isHasty)
      disagreements.push(`${key}: a client that looks before it repeats made ${rows.length} documents`);
    const row = rows.find((one) => one.id === belief.id);
    const truth = {
      id: row?.id,
      name: row?.name ?? "",
      status: row?.internal.deleted_at == null ? (row?.status ?? "") : "deleted",
    };
    for (const part of ["id", "name", "status"] as const)
      if (belief[part] !== truth[part])
        disagreements.push(`${key}: the client believes in ${part} ${belief[part]}, the server has ${truth[part]}`);
    disagreements.push(...receiverProblems(key, belief, row?.status));
  }
  disagreements.push(...bugs.map((bug) => `a bug: ${String(bug)}`));
  const faults = tenant.journal.all().filter((one) => one.rule !== undefined).length;
  return { plan, disagreements, faults, doubled, log: client.log };

  /** Reports a receiver that does not know the last status of a document, unless a delivery was lost. */
  function receiverProblems(key: string, belief: Belief, status: string | undefined): string[] {
    const lost = tenant.store.deliveries.all().some((one) => one.subject === belief.id && one.state !== "delivered");
    const last = received.newest.get(belief.id ?? "")?.status;
    return lost || last === status
      ? []
      : [`${key}: the last status that the receiver got is ${last}, and the server has ${status}`];
  }
}
