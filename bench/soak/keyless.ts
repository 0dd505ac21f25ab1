/**
 * Plays the worst calls of a caller without a key, round after round, against a server with a heap of 2 GiB. Some calls have 6,000 query
 * names, large headers, long paths or unknown keys. Others take snapshots, or leave uploads, event streams and verifications open.
 */
import { fork } from "node:child_process";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Figures } from "./server.ts";

export interface KeylessOptions {
  rounds: number;
  /** Plays rounds for this many minutes, and ignores `rounds`. */
  minutes?: number;
  /** Calls of each kind in a round. */
  calls: number;
  /** Number of open uploads in a round. A round has as many unread streams and as many waiting verifications. */
  open: number;
  onRound?: (text: string) => void;
}

export interface KeylessFigures {
  /** Live heap, and all memory of the process, after each round, in bytes. */
  rounds: { heap: number; rss: number }[];
  /** Calls that got an answer. */
  answered: number;
}

const HEAP_MIB = 2048;

export async function keylessSoak({ rounds, minutes, calls, open, onRound }: KeylessOptions): Promise<KeylessFigures> {
  const child = fork(fileURLToPath(new URL("./server.ts", import.meta.url)), [JSON.stringify({ tenantsMax: 10 })], {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, "--expose-gc", "--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const heard = <T>() => new Promise<T>((resolve) => child.once("message", (message) => resolve(message as T)));
  try {
    const { url } = await heard<{ url: string }>();
    const port = Number(new URL(url).port);
    const figures: KeylessFigures = { rounds: [], answered: 0 };
    const end = minutes === undefined ? undefined : performance.now() + minutes * 60_000;
    const isOver = (round: number) => (end === undefined ? round >= rounds : performance.now() >= end);
    for (let round = 0; !isOver(round); round++) {
      const sockets = Array.from({ length: open }, (_, i) => openCalls(port, i)).flat();
      for (let i = 0; i < calls; i++) figures.answered += await askAll(port, worstCalls(`${round}-${i}`));
      for (const socket of sockets) socket.destroy();
      const answer = heard<Figures>();
      child.send("figures");
      const { heap, rss } = await answer;
      figures.rounds.push({ heap, rss });
      const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
      onRound?.(`keyless round ${round + 1}: ${figures.answered} answers, heap ${mib(heap)} MiB, in all ${mib(rss)} MiB`);
    }
    return figures;
  } finally {
    child.disconnect();
    child.kill("SIGKILL");
  }
}

function worstCalls(mark: string): string[] {
  const names = Array.from({ length: 6000 }, (_, i) => i.toString(36)).join("&");
  const headers = Array.from({ length: 900 }, (_, i) => `X-${i}: ${mark}`).join("\r\n");
  const call = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}Connection: close\r\n\r\n`;
  const post = (path: string, body: string) =>
    call(path, `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`).replace("GET", "POST") + body;
  return [
    call(`/public/v1/documents?${mark}&${names}`),
    call("/public/v1/documents", `${headers}\r\n`),
    call(`/public/v1/${"p".repeat(25_000)}${mark}`),
    call("/public/v1/documents", `Authorization: API-Key unknown-${mark}\r\n`),
    call(`/s/unknown-${mark}`),
    post("/__admin/snapshots", JSON.stringify({ name: `s-${mark}` })),
  ];
}

/** Opens an endless upload, an unread stream and a waiting verification. */
function openCalls(port: number, index: number): Socket[] {
  const verify = JSON.stringify({ match: { urlPattern: ".*(a|b){200}c", operationId: `${index}` }, timeoutMs: 60_000 });
  const upload = "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000000\r\n\r\n--x\r\n";
  const texts = [
    `POST /public/v1/documents?upload HTTP/1.1\r\nHost: localhost\r\n${upload}${"x".repeat(500_000)}`,
    "GET /__admin/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
    `POST /__admin/requests/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${verify.length}\r\n\r\n${verify}`,
  ];
  return texts.map((text) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("error", () => {});
    socket.pause();
    return socket;
  });
}

async function askAll(port: number, texts: readonly string[]): Promise<number> {
  const answers = texts.map(
    (text) =>
      new Promise<number>((resolve) => {
        let answered = 0;
        const socket = connect(port, "127.0.0.1", () => socket.write(text));
        socket.on("data", () => {
          answered = 1;
        });
        socket.on("error", () => {});
        socket.on("close", () => resolve(answered));
      }),
  );
  return (await Promise.all(answers)).reduce((sum, one) => sum + one, 0);
}
