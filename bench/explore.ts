/** Measures how fast exploration runs a usual integration with the official client, and how many runs reduction saves in test/zoo. */
import * as pandadoc from "pandadoc-node-client";
import type { ExploreReport, Sandbox } from "../src/index.ts";
import { HOST, placeIn } from "../test/zoo/in-process.ts";
import { CLIENTS, type ClientName, PAIRS } from "../test/zoo/pairs.ts";
import type { Figure } from "./figures.ts";

const { explore } = (await import(new URL("../dist/index.js", import.meta.url).href)) as typeof import("../src/index.ts");

// The built `explore` needs the built `intercept`, because both know the same sandboxes.
const { intercept } = (await import(
  new URL("../dist/intercept.js", import.meta.url).href
)) as typeof import("../src/intercept.ts");

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const ENDS = ["document.completed", "document.declined", "document.voided", "document.error"];

/** Creates, polls, sends, receives webhooks and downloads. It makes up to six attempts at each call. */
async function integration(sandbox: Sandbox): Promise<void> {
  const documents = new pandadoc.DocumentsApi(
    pandadoc.createConfiguration({
      authMethods: { apiKey: `API-Key ${sandbox.apiKey}` },
      baseServer: new pandadoc.ServerConfiguration(sandbox.url, {}),
    }),
  );
  let end: string | undefined;
  await sandbox.webhooks.receiver({
    events: ["document_state_changed"],
    handler: async (request) => {
      const [{ data }] = (await request.json()) as [{ data: { status: string } }];
      if (ENDS.includes(data.status)) end = data.status;
    },
  });
  const repeated = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (tries === 6) throw error;
        await sleep(6000);
      }
    }
  };
  const recipients = [{ email: "pat+sign.after=20s@client.example", firstName: "Pat", lastName: "Lee", role: "Client" }];
  const documentCreateRequest = { name: "Offer", templateUuid: "TemplateOneSignerxxxxx", recipients };
  const { id = "" } = await repeated(() => documents.createDocument({ documentCreateRequest }));
  for (let look = 0; look < 60; look++) {
    if ((await repeated(() => documents.statusDocument({ id }))).status !== "document.uploaded") break;
    await sleep(3000);
  }
  await repeated(() => documents.sendDocument({ id, documentSendRequest: { silent: true } }));
  for (let wait = 0; wait < 60 && end === undefined; wait++) await sleep(5000);
  if (end === "document.completed") await repeated(() => documents.downloadDocument({ id }));
}

const OPTIONS = { seed: 1, out: false, throwOnBreak: false } as const;

export async function measureExplore(): Promise<Figure[]> {
  // The first runs load the client and start the PDF writer, so they do not count.
  await explore(integration, { ...OPTIONS, runs: 10 });
  const begun = performance.now();
  const { runs } = await explore(integration, { ...OPTIONS, budget: "60s" });
  const seconds = (performance.now() - begun) / 1000;
  return [
    {
      ...{ what: "runs of the usual integration", ours: runs / seconds, unit: "runs/s" },
      ...{ limit: { name: "300 runs in 60 s", value: 5 }, goal: { at: "least", ratio: 1 } as const },
    },
  ];
}

async function played(sandbox: Sandbox, client: ClientName, gap: string | undefined): Promise<void> {
  const stop = intercept(sandbox, { hosts: [HOST] });
  try {
    await CLIENTS[client](placeIn(sandbox as never), gap);
  } finally {
    stop();
  }
}

/** A Markdown table: the runs and breaks of each integration with its planted fault, with and without reduction. */
export async function reductionTable(): Promise<string> {
  const rows = ["| integration | runs | without reduction | breaks | without reduction |", "|---|---|---|---|---|"];
  for (const client of Object.keys(CLIENTS) as ClientName[]) {
    const gap = PAIRS.find((pair) => pair.client === client)?.gap;
    const once = (reduce: boolean) =>
      explore((sandbox) => played(sandbox, client, gap), { ...OPTIONS, reduce, pairs: false, budget: "3m" });
    const [reduced, whole] = [await once(true), await once(false)];
    rows.push(`| ${client} | ${reduced.runs} | ${whole.runs} | ${kinds(reduced)} | ${kinds(whole)} |`);
  }
  return rows.join("\n");
}

/** Counts the pairs of symptom and fault. A lost call and a lost answer count as one fault, because they break a read in the same way. */
function kinds({ breaks }: ExploreReport): number {
  const same = (fault = "") => (fault === "reset_after" ? "reset_before" : fault === "gateway_timeout" ? "gateway_error" : fault);
  return new Set(breaks.map(({ symptom, faults: [first] }) => `${symptom} ${same(first?.fault)}`)).size;
}
