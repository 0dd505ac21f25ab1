/**
 * Measures how long a small suite of tests waits for its server. The suite starts the server and plays 200 rounds: a create, two reads
 * and a list. It makes one call at a time over one connection.
 */
import { Agent, request } from "node:http";
import type { Figure } from "./figures.ts";
import {
  benchFixtures,
  CREATE,
  DOCDOUBLE_ARGS,
  HEADERS,
  makeDraft,
  median,
  removeCompiled,
  sampleOf,
  start,
  stop,
} from "./servers.ts";

const ROUNDS = 31;
const STORIES = 200;

/** Makes one call. Returns the text of the answer. @throws when the status is not 2xx */
function call(agent: Agent, url: string, method: string, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: HEADERS }, (answer) => {
      let text = "";
      answer.on("data", (part: Buffer) => {
        text += part;
      });
      answer.on("end", () => ((answer.statusCode ?? 0) < 300 ? resolve(text) : reject(new Error(`${method} ${url}: ${text}`))));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

interface Contestant {
  args: readonly string[];
  /** The path of the first call, whose answer shows that the server is ready. */
  first: string;
  /** The server has no documents, and answers every call in the same way. */
  isConstant?: boolean;
}

/** Plays the whole suite. Returns its time in ms. */
async function suite({ args, first, isConstant }: Contestant): Promise<number> {
  const begun = performance.now();
  const server = await start(args, first);
  const agent = new Agent({ keepAlive: true });
  const documents = `${server.url}/public/v1/documents`;
  for (let i = 0; i < STORIES; i++)
    if (isConstant) for (let n = 0; n < 4; n++) await call(agent, `${server.url}/`, "GET");
    else {
      const { id } = JSON.parse(await call(agent, documents, "POST", CREATE));
      await call(agent, `${documents}/${id}`, "GET");
      await call(agent, `${documents}/${id}`, "GET");
      await call(agent, documents, "GET");
    }
  const took_ms = performance.now() - begun;
  agent.destroy();
  await stop(server);
  return took_ms;
}

export async function measureSuite(): Promise<Figure[]> {
  const fixtures = benchFixtures();
  const double = await start([...DOCDOUBLE_ARGS, "--fixtures", fixtures], "/__admin/health");
  const sample = await sampleOf(double, await makeDraft(double));
  await stop(double);
  const contestants: Record<string, Contestant> = {
    ours: { args: [...DOCDOUBLE_ARGS, "--fixtures", fixtures], first: "/public/v1/documents" },
    ideal: { args: ["bench/ideal.mjs", sample], first: "/public/v1/documents" },
    hono: { args: ["bench/hono.mjs"], first: "/", isConstant: true },
  };
  // Users run the same suite again and again. So the first round saves the compiled code, which later rounds read.
  removeCompiled();
  const times: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, contestant] of Object.entries(contestants)) {
      const took_ms = await suite(contestant);
      // The first round warms up the disk and saves compiled code.
      if (round > 0) times[name] = [...(times[name] ?? []), took_ms];
    }
  const figure = (name: string, ratio: number): Figure => ({
    what: `start, then ${STORIES} × (create, read, read, list)`,
    ours: median(times.ours as number[]),
    limit: { name, value: median(times[name] as number[]) },
    ...{ unit: "ms", goal: { at: "most", ratio } },
  });
  return [figure("ideal", 1), figure("hono", 2)];
}
