/** Each page has little script and style, so it opens at once and stays readable. */
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { aBusyWorld } from "../support/inspector.ts";

const BYTES_MAX = 30 * 1024;

test("each page of docdouble has less than 30 kB of compressed script and style", async () => {
  const { world, id } = await aBusyWorld();
  for (const path of ["/", "/reference", "/__admin/", `/__admin/?view=documents&id=${id}`, "/__admin/?view=mails"]) {
    const { body } = await world.request("GET", path, { key: null, headers: { accept: "text/html" } });
    const page = new TextDecoder().decode(body);
    const own = [...page.matchAll(/<(style|script)>(.*?)<\/\1>/gs)].map(([, , text]) => text).join("\n");
    expect(own.length, path).toBeGreaterThan(1000);
    expect(gzipSync(own).length, path).toBeLessThan(BYTES_MAX);
  }
});
