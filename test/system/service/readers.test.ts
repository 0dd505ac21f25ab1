/** The readers of files and texts under attack: killed servers, a queue of slow files, and texts that grow. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../src/service/files/blocks.ts";
import { withoutTags } from "../../../src/service/nouns/content/field-tags.ts";
import { readPdf } from "../../../src/service/files/pdf.ts";
import { type HostileFile, namedFiles } from "../../support/hostile-files.ts";
import { files as folder, serve } from "../../support/process.ts";
import { receiver } from "../../support/receiver.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { within } from "../../support/patience.ts";
import { until } from "../../support/patience.ts";

describe("conversions and downloads", () => {
  test("a file whose conversion was running at two kills ends in document.error at the third start", async () => {
    const source = await receiver();
    source.answerWith("hang");
    const data = join(folder(), "data.json");
    const open = () =>
      serve(["--port", "0", "--log", "silent", "--data", data, "--clock", "frozen", "--now", "2026-03-02T09:00:00Z"]);
    let server = await open();
    const made = { name: "By address", url: `${source.url}/file.pdf`, recipients: [CLIENT], parse_form_fields: false };
    const { body } = await server.call("POST", "/public/v1/documents", made);
    for (const run of [1, 2]) {
      const advanced = server.call("POST", "/__admin/clock/advance", { by: "10s" }).catch(() => "cut off");
      await source.arrived(run);
      await server.stop("SIGKILL");
      expect(await advanced).toBe("cut off");
      server = await open();
    }
    await server.call("POST", "/__admin/clock/advance", { by: "10s" });
    expect(source.received).toHaveLength(2);
    expect((await server.call("GET", `/public/v1/documents/${body.id}`)).body.status).toBe("document.error");
  });

  test("a download behind slow files answers 202 on a real clock, and the file later", async () => {
    const world = await testWorld({ clock: "real" });
    const { body } = await world.call("createDocument", { body: { template_uuid: TEMPLATES.everyField, recipients: [] } });
    await world.admin("POST", "/clock/advance", { by: "1m" });
    const params = { params: { id: body.id } };
    const text = "{text:a:b______}".repeat(120_000);
    const slow = { title: "Slow", date: 0, words: [{ kind: "markdown" as const, text }], isFinal: false };
    // Both file processes work until their limit, and a new process writes the download.
    const others = Array.from({ length: 2 }, () => world.tenant.world.files.run("write_pdf", slow).catch(() => undefined));
    const first = await world.call("downloadDocument", params);
    expect([first.status, first.headers.get("retry-after")]).toEqual([202, "5"]);
    await Promise.all(others);
    let last = first;
    await until(async () => {
      last = await world.call("downloadDocument", params);
      return last.status !== 202;
    });
    expect([last.status, last.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  });
});

test("a PDF that claims two hundred million objects is refused before the library reads it", async () => {
  const file = namedFiles().find(({ name }) => name.includes("references")) as HostileFile;
  await expect(readPdf(file.bytes)).rejects.toThrow("the file has more than 500000 objects");
});

describe("readers of texts", () => {
  const timed = (run: () => unknown): number => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  test.each([
    ["brackets", "["],
    ["stars", "**a "],
    ["underlines", "__a "],
    ["addresses", "[a](b "],
    ["items", "- a\n"],
    ["headings", "# \n"],
    ["tables", "|-\n"],
  ])("Markdown of %s: twice the text takes at most five times as long", (_, mark) => {
    timed(() => parseMarkdown(mark.repeat(10_000)));
    const once = timed(() => parseMarkdown(mark.repeat(200_000)));
    expect(timed(() => parseMarkdown(mark.repeat(400_000)))).toBeLessThan(within(5 * once + 200));
  });

  test("131,000 field tags are removed from a text in less than two seconds", () => {
    const text = "a{text:a:b______}".repeat(131_000);
    let rest = "";
    expect(timed(() => (rest = withoutTags(text)))).toBeLessThan(within(2000));
    expect(rest).toBe("a".repeat(131_000));
  });

  test("Markdown of 131,000 field tags ends in document.error with the limit", async () => {
    const world = await testWorld();
    const file = new File(["{text:a:b______}".repeat(131_000)], "a.md", { type: "text/markdown" });
    const parts = { file, data: { name: "Tags", recipients: [CLIENT] } };
    const { body } = await world.call("createDocumentFromMarkdownUpload", { parts });
    await world.advance("10s");
    expect(world.tenant.store.documents.get(body.id)).toMatchObject({
      status: "document.error",
      internal: { failure: { detail: "The text could not be processed: it has more than 5000 field tags" } },
    });
  });
});
