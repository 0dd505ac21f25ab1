/** A page of another origin that loads PandaDoc's browser libraries from their packages, and records their events. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { installed } from "../../docs/installed.ts";
import { aPage } from "./browser.ts";

const SIGNING_EVENTS = [
  "document.loading",
  "document.loading.error",
  "document.not.found",
  "document.protected",
  "document.attempts.limit.exceeded",
  "document.loaded",
  "document.rendered",
  "document.completed",
  "document.exception",
];
const EDITOR_EVENTS = [
  "document.loading",
  "document.loading.error",
  "template.loading",
  "template.loading.error",
  "content.rendered",
];

const LIBRARIES: Readonly<Record<string, string>> = {
  "/signing.js": join(installed("pandadoc-signing"), "dist/signing.js"),
  "/editor.js": join(installed("pandadoc-editor"), "dist/editor.js"),
};

const HOST_PAGE = `<!doctype html><html lang="en"><title>Host</title><div id="place"></div><script type="module">
import { Signing } from "/signing.js";
import { Editor } from "/editor.js";
window.heard = [];
const listen = (library, events) => { for (const event of events) library.on(event, (payload) => heard.push({ event, payload })); return library; };
window.makeSigning = (config, host) => { window.library = listen(new Signing("place", config, host), ${JSON.stringify(SIGNING_EVENTS)}); };
window.makeEditor = (config, host) => { window.library = listen(new Editor("place", config, host), ${JSON.stringify(EDITOR_EVENTS)}); };
window.isReady = true;
</script></html>`;

export interface Heard {
  event: string;
  payload: Record<string, unknown>;
}

export interface LibraryPage {
  page: Page;
  /** The frame with the page that the library opened. */
  shell(): Frame;
  /** The frame with the session, inside the shell. */
  session(): Promise<Frame>;
  heard(): Promise<Heard[]>;
  names(): Promise<string[]>;
  /** Waits for the event and returns its payload. */
  hears(event: string): Promise<Record<string, unknown>>;
}

/** Opens the host page and runs `make` on it, a call of `makeSigning` or `makeEditor`. `prepare` runs before the page loads. */
export async function aLibraryPage(make: string, prepare: (page: Page) => Promise<void> = async () => {}): Promise<LibraryPage> {
  const server = createServer((request, response) => {
    const library = LIBRARIES[request.url ?? ""];
    response
      .writeHead(200, { "content-type": library ? "text/javascript" : "text/html" })
      .end(library ? readFileSync(library) : HOST_PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const page = await aPage();
  await prepare(page);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction("window.isReady");
  await page.evaluate(make);
  const heard = () => page.evaluate<Heard[]>("heard");
  const child = (frame: Frame): Frame => {
    const found = frame.childFrames()[0];
    if (!found) throw new Error("the frame has no frame in it");
    return found;
  };
  return {
    page,
    shell: () => child(page.mainFrame()),
    async session() {
      await page.frameLocator("iframe").locator("iframe").waitFor();
      return child(child(page.mainFrame()));
    },
    heard,
    names: async () => (await heard()).map(({ event }) => event),
    async hears(event) {
      await page.waitForFunction(`heard.some((one) => one.event === ${JSON.stringify(event)})`);
      return (await heard()).find((one) => one.event === event)?.payload ?? {};
    },
  };
}
