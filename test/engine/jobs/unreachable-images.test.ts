/** Low finding: an image by URL that cannot be reached costs each document almost nothing. */
import { blankPdf } from "../../../src/service/files/stand-in.ts";
import tls from "node:tls";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { downloadSparingly } from "../../../src/engine/jobs/spared-download.ts";
import { png } from "../../support/images.ts";
import { rawServer } from "../../support/raw-server.ts";
import { localServer } from "../../support/local-server.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const LIMITS = { bytes: 10_000, timeout_ms: 2000, standIn: blankPdf };
const withImage = (url: string) => ({ template: "everyField" as const, body: { images: [{ name: "Logo", urls: [url] }] } });

/** A failure is remembered for a second, and a busy machine may need longer for the test. */
function timeStands(): void {
  const elapsed = vi.spyOn(systemClock, "elapsed").mockReturnValue(systemClock.elapsed());
  onTestFinished(() => elapsed.mockRestore());
}

test("low: forty documents with an unreachable image open eight connections with one TLS context", async () => {
  const contexts = vi.spyOn(tls, "createSecureContext");
  onTestFinished(() => contexts.mockRestore());
  timeStands();
  const { port, seen } = await rawServer((socket) => socket.resetAndDestroy());
  const world = await testWorld();
  for (let i = 0; i < 40; i++) await aDraft(world, withImage(`https://127.0.0.1:${port}/${i}.png`));
  expect(seen).toHaveLength(8);
  expect(contexts.mock.calls.length).toBeLessThanOrEqual(1);
});

test("low: at most four downloads of an origin run at the same time, and one failure in between is not remembered", async () => {
  const hook = await receiver();
  hook.answerWith(503, { status: 200, body: "an image", headers: {} });
  await expect(downloadSparingly(`${hook.url}/a.png`, "all", LIMITS)).rejects.toThrow("status code: 503");
  const all = await Promise.all(Array.from({ length: 20 }, () => downloadSparingly(`${hook.url}/a.png`, "all", LIMITS)));
  expect(all.map((bytes) => Buffer.from(bytes).toString())).toEqual(Array(20).fill("an image"));
  expect(hook.mostOpen).toBeLessThanOrEqual(4);
});

test("low: an address that answers 404 eight times fails without connections, and other addresses of its server still work", async () => {
  timeStands();
  let calls = 0;
  const url = await localServer((request, response) => {
    calls++;
    if (request.url === "/there.png") response.end(png(2, 2));
    else response.writeHead(404).end();
  });
  for (let i = 0; i < 20; i++)
    await expect(downloadSparingly(`${url}/gone.png`, "all", LIMITS)).rejects.toThrow("status code: 404");
  expect(calls).toBe(8);
  expect((await downloadSparingly(`${url}/there.png`, "all", LIMITS)).length).toBe(png(2, 2).length);
});

test("low: a remembered failure of one address policy says nothing about the other", async () => {
  timeStands();
  const url = await localServer((_, response) => response.end("there"));
  for (let i = 0; i < 10; i++)
    await expect(downloadSparingly(`${url}/a.png`, "public", LIMITS)).rejects.toThrow("--allow-private-targets");
  expect(Buffer.from(await downloadSparingly(`${url}/a.png`, "all", LIMITS)).toString()).toBe("there");
});
