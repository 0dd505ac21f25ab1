/** Measures creates with an image at a closed port, and without an image. Servers of both kinds take turns. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "./figures.ts";
import { HEADERS, load, median, processorTime, resident, RUNNING_ARGS, start, stop } from "./servers.ts";

const CREATES = 20_000;
const PAIRS = 3;
const LOAD_MS_MAX = 600_000;
const PAUSE_MS = 1000;
/** The number of the status `document.uploaded` in a list. */
const UPLOADED = 5;

const BODY = {
  name: "Offer",
  template_uuid: "TemplateEveryFieldxxxx",
  recipients: [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Signer" }],
};
/** Nothing listens at this port. */
const IMAGES = [{ name: "Logo", urls: ["https://127.0.0.1:9/logo.png"] }];

interface Costs {
  processor_s: number;
  memory_MiB: number;
}

/** Creates documents, and waits until all are drafts. */
async function creates(body: object): Promise<Costs> {
  const server = await start(RUNNING_ARGS, "/__admin/health");
  try {
    const documents = `${server.url}/public/v1/documents`;
    await load(documents, "POST", JSON.stringify(body), LOAD_MS_MAX, CREATES);
    const isWaiting = async () => {
      const answer = await fetch(`${documents}?status=${UPLOADED}&count=1`, { headers: HEADERS });
      return ((await answer.json()) as { results: unknown[] }).results.length > 0;
    };
    while (await isWaiting()) await sleep(PAUSE_MS);
    return { processor_s: processorTime(server) / 1e6, memory_MiB: resident(server) };
  } finally {
    await stop(server);
  }
}

export async function measureImages(): Promise<Figure[]> {
  const costs: Record<"with" | "without", Costs[]> = { with: [], without: [] };
  for (let i = 0; i < PAIRS; i++) {
    costs.without.push(await creates(BODY));
    costs.with.push(await creates({ ...BODY, images: IMAGES }));
  }
  const figure = (what: string, part: keyof Costs, unit: string, ratio: number): Figure => ({
    what: `${what} of ${CREATES.toLocaleString("en")} creates with an image at a closed port`,
    ours: median(costs.with.map((one) => one[part])),
    limit: { name: "without an image", value: median(costs.without.map((one) => one[part])) },
    unit,
    goal: { at: "most", ratio },
  });
  return [figure("processor time", "processor_s", "s", 1.25), figure("resident memory", "memory_MiB", "MiB", 1.25)];
}
