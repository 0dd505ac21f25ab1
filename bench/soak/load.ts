/**
 * Plays hours of use in minutes: rounds with many connections, many tenants and several kinds of clients. After each round it takes the
 * memory of the server and the delays of its event loop. Every request needs an answer, and the heap of a warm server must stay flat.
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type ClientRequest, freshTally, KeptConnection, stall, type Tally } from "./clients.ts";
import { median } from "../servers.ts";
import type { Figures } from "./server.ts";

export interface SoakOptions {
  rounds: number;
  connections: number;
  /** Tenants of each round. The server keeps twice as many, so old ones go. */
  tenants: number;
  onRound?: (text: string) => void;
}

export interface SoakFigures {
  options: Omit<SoakOptions, "onRound">;
  seconds: number;
  tally: Tally;
  rounds: Figures[];
  /** Growth of live objects per round in MiB, over the second half of the rounds. */
  growth_mib: number;
  lateP99_ms: number;
  late_ms: number;
}

/** Calls a tenant of the round. The journal of a tenant that stays would grow for many rounds. */
const listOf = (round: number, page: number) =>
  `GET /public/v1/templates?page=${page} HTTP/1.1\r\nHost: a\r\nAuthorization: API-Key test-${round}-0\r\n\r\n`;
const headersOnly = "GET /public/v1/documents HTTP/1.1\r\nHost: a\r\nX-Slow: ";
const halfBody = (round: number) =>
  `POST /public/v1/documents HTTP/1.1\r\nHost: a\r\nAuthorization: API-Key test-${round}-0\r\nContent-Length: 100000\r\n\r\n{`;

export async function soak(options: SoakOptions): Promise<SoakFigures> {
  const begun = performance.now();
  const { rounds, connections, tenants, onRound } = options;
  const child = fork(fileURLToPath(new URL("./server.ts", import.meta.url)), [JSON.stringify({ tenantsMax: 2 * tenants + 1 })], {
    execArgv: ["--expose-gc", "--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const heard = <T>() => new Promise<T>((resolve) => child.once("message", (message) => resolve(message as T)));
  try {
    const { url } = await heard<{ url: string }>();
    const port = Number(new URL(url).port);
    const tally = freshTally();
    const figures: Figures[] = [];
    for (let round = 0; round < rounds; round++) {
      await playRound(port, tally, connections, tenants, round);
      const one = await settled(async () => {
        const answer = heard<Figures>();
        child.send("figures");
        return await answer;
      });
      figures.push(one);
      onRound?.(
        `round ${round + 1}: ${tally.answered} answers, ${tally.unanswered} unanswered, heap ${(one.heap / 2 ** 20).toFixed(1)} MiB, ` +
          `${one.tenants} tenants, ${one.handles} sockets, late ${one.late_ms.toFixed(0)} ms at most, p99 ${one.lateP99_ms.toFixed(0)} ms`,
      );
    }
    const warm = Math.floor(rounds / 2);
    const later = figures.slice(warm);
    return {
      options: { rounds, connections, tenants },
      seconds: (performance.now() - begun) / 1000,
      tally,
      rounds: figures,
      growth_mib: growthOf(later.map((one) => one.heap / 2 ** 20)),
      late_ms: Math.max(...later.map((one) => one.late_ms)),
      lateP99_ms: Math.max(...later.map((one) => one.lateP99_ms)),
    };
  } finally {
    child.disconnect();
    child.kill("SIGKILL");
  }
}

/** Waits until the server has noticed the closed connections and has ended its own calls. Returns the figures after that. */
async function settled(look: () => Promise<Figures>): Promise<Figures> {
  let last = await look();
  for (let i = 0; i < 20; i++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const one = await look();
    // Each look resets the measured delays of the event loop, so the highest ones count.
    const late = { late_ms: Math.max(one.late_ms, last.late_ms), lateP99_ms: Math.max(one.lateP99_ms, last.lateP99_ms) };
    last = { ...one, ...late };
    if (one.handles < 5) break;
  }
  return last;
}

/** Average growth from one value to the next: the medians of both halves differ by this much per step. */
function growthOf(values: readonly number[]): number {
  const half = Math.ceil(values.length / 2);
  const [before, after] = [values.slice(0, half), values.slice(-half)];
  return (median(after) - median(before)) / Math.max(1, values.length - half);
}

async function playRound(port: number, tally: Tally, connections: number, tenants: number, round: number): Promise<void> {
  const lines = Array.from({ length: connections }, () => new KeptConnection(port, tally));
  const stalled = Array.from({ length: Math.ceil(connections / 20) }, (_, i) => [
    // Headers that never end, a body that never ends, nothing at all, and an answer that nobody reads.
    stall(port, tally, (socket) => socket.write(headersOnly)),
    stall(port, tally, (socket) => socket.write(halfBody(round))),
    stall(port, tally, () => {}),
    stall(port, tally, (socket) => {
      socket.pause();
      for (let k = 0; k < 20; k++) socket.write(listOf(round, i));
    }),
  ]).flat();
  const streams = Array.from({ length: 5 }, () =>
    stall(port, tally, (socket) => socket.write("GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n")),
  );
  await Promise.all(lines.map((line, i) => usage(line, `test-${round}-${i % tenants}`, i)));
  // Clients that disconnect before they get an answer.
  for (let i = 0; i < connections / 10; i++)
    stall(port, freshTally(), (socket) => {
      socket.write(listOf(round, 1));
      socket.destroy();
    });
  for (const line of lines) line.close();
  for (const { socket } of [...stalled, ...streams]) socket.destroy();
}

/** Plays the calls of a test: create, read, send, sign, list, and read the journal. Some of them share a pipeline. */
async function usage(line: KeptConnection, key: string, i: number): Promise<void> {
  const ask = (method: string, path: string, body?: object): ClientRequest => ({
    method,
    path,
    key,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // Every tenant gets deliveries to retry. Tenants with work to do stay longer, so a mix would change from round to round.
  await line.ask(
    ask("POST", "/public/v1/webhook-subscriptions", {
      name: "Soak",
      url: "http://127.0.0.1:9/nobody",
      triggers: ["document_state_changed"],
    }),
  );
  const [created] = await line.ask(
    ask("POST", "/public/v1/documents", {
      name: `Soak ${i}`,
      template_uuid: "TemplateOneSignerxxxxx",
      recipients: [{ email: `pat${i}@client.example`, first_name: "Pat", last_name: "Lee", role: "Client" }],
    }),
  );
  const id = /"id":"(\w+)"/.exec(created ?? "")?.[1] ?? "none";
  await line.ask(ask("POST", "/__admin/clock/advance", { by: "10s" }));
  // Three requests in one pipeline.
  await line.ask(
    ask("GET", `/public/v1/documents/${id}`),
    ask("GET", "/public/v1/documents?count=5"),
    ask("GET", "/public/v1/nothing"),
  );
  await line.ask(ask("POST", `/public/v1/documents/${id}/send`, { silent: false }));
  await line.ask(ask("POST", `/__admin/documents/${id}/simulate/sign`, {}), ask("GET", `/public/v1/documents/${id}/details`));
  if (i % 10 === 0)
    await line.ask(ask("POST", "/__admin/snapshots", { name: "one" }), ask("POST", "/__admin/snapshots/one/restore"));
  await line.ask(ask("GET", "/__admin/requests?limit=5"), ask("DELETE", `/public/v1/documents/${id}`));
}
