/** Tests the page of a document as the server sends it. */
import { describe, expect, test } from "vitest";
import { pageOf } from "../support/inspector.ts";
import { receiver } from "../support/receiver.ts";
import { aDraft, aSentDocument, aSubscription, simulate, succeed } from "../support/stories.ts";
import { testWorld } from "../support/world.ts";

const plain = (html: string) =>
  html
    .replace(/<(style|script)>.*?<\/\1>/gs, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

/** What the timeline says, row by row. */
function rowsOf(page: string): string[] {
  const [, list = ""] = /data-testid="timeline">(.*?)<\/ol>/s.exec(page) ?? [];
  return [...list.matchAll(/<a class="row".*?<\/a>/gs)].map(([row]) => plain(row).trim());
}

describe("the page of a document", () => {
  test("adminInspector shows each webhook below the call that caused it, when all have one instant", async () => {
    const world = await testWorld();
    await aSubscription(world, await receiver(), { triggers: ["quote_updated"] });
    const id = await aDraft(world, { template: "quote" });
    const { body } = await world.call("detailsDocument", { params: { id } });
    const quote_id = body.pricing.quotes[0].id;
    await succeed(world.call("quoteUpdate", { params: { document_id: id, quote_id }, body: { currency: "EUR" } }));
    await world.advance("1s");
    const rows = rowsOf(await pageOf(world, `?view=documents&id=${id}`));
    const at = (name: string) => rows.findIndex((row) => row.includes(name));
    expect(at("quoteUpdate")).toBeGreaterThan(at("detailsDocument"));
    expect(at("quote_updated")).toBe(at("quoteUpdate") + 1);
    const { timeline } = (await world.admin("GET", `/documents/${id}/timeline`)).body;
    const kinds = timeline.map(
      (one: { operation?: string; event?: string; kind: string }) => one.operation ?? one.event ?? one.kind,
    );
    expect(kinds.slice(kinds.indexOf("detailsDocument"))).toEqual(["detailsDocument", "quoteUpdate", "quote_updated"]);
  });

  test("adminInspector shows what an entry changed, and only the part of a recipient that changed", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world, { template: "oneSigner", body: { name: "Offer 42" } });
    expect((await world.call("updateDocument", { params: { id }, body: { name: "Too late" } })).status).toBe(400);
    const changesOf = async (text: string) => {
      const [, list = ""] = /data-testid="timeline">(.*?)<\/ol>/s.exec(await pageOf(world, `?view=documents&id=${id}`)) ?? [];
      const [, entry = ""] =
        [...list.matchAll(/<a class="row" id="([^"]+)".*?<\/a>/gs)].find(([row]) => row.includes(text)) ?? [];
      const page = await pageOf(world, `?view=documents&id=${id}&open=${entry}`);
      return /data-testid="changes">(.*?)<\/ul>/s.exec(page)?.[1];
    };
    const sent = (await changesOf("sendDocument")) ?? "";
    expect(plain(sent)).toContain("Status draft → sent");
    expect(plain(sent)).toContain("Ivo Marek waits → may sign now");
    expect(sent).not.toContain("ivo.marek@client.example");
    expect(plain((await changesOf("createDocument")) ?? "")).toContain("Name Offer 42");
    expect(await changesOf("updateDocument")).toBeUndefined();
    await simulate(world, id, "sign", { fields: { Company: "Marek" } });
    const signed = plain((await changesOf("Ivo Marek signed")) ?? "");
    expect(signed).toContain("Status sent → completed");
    expect(signed).toContain("Field Company empty → Marek");
  });

  test("adminInspector joins an act with the status it led to, and shows each day", async () => {
    const world = await testWorld();
    await aSubscription(world, await receiver(), { name: "Shop" });
    const id = await aSentDocument(world);
    await world.advance("26h");
    await simulate(world, id, "view");
    await world.advance("1s");
    const page = await pageOf(world, `?view=documents&id=${id}`);
    const rows = rowsOf(page);
    expect(rows).toContainEqual(expect.stringMatching(/Ivo Marek opened it → viewed$/));
    expect(rows).toContainEqual(expect.stringMatching(/document_state_changed to Shop · viewed 200$/));
    expect([...page.matchAll(/<li class="day"><time datetime="([^"]+)"/g)].map(([, day]) => day)).toEqual([
      "2026-03-02",
      "2026-03-03",
      expect.stringMatching(/^2026-0[45]-/),
    ]);
  });

  test("adminInspector draws each status and each entry on the axis, and a mark leads to its entry", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world);
    await world.advance("26h");
    await simulate(world, id, "view");
    const page = await pageOf(world, `?view=documents&id=${id}`);
    const [, axis = ""] = /<div class="axis">(.*?)<\/svg><\/div><\/div>/s.exec(page) ?? [];
    expect([...axis.matchAll(/<title>(\w+)<\/title><\/svg>/g)].map(([, name]) => name)).toEqual([
      "uploaded",
      "draft",
      "sent",
      "viewed",
    ]);
    const places = [...axis.matchAll(/<svg x="([\d.]+)%"/g)].map(([, place]) => Number(place));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(axis).toMatch(/>03-03 \d\d:\d\d:\d\d</);
    expect(axis).toContain(">+1 d 2 h<");
    const [, href = "", name] = /<a class="mark due" href="([^"]+)".*?<title>([^<]+)/s.exec(axis) ?? [];
    expect(name).toMatch(/: due: expire document$/);
    const entry = href.split("#")[1];
    expect(await pageOf(world, href.split("#")[0]?.replaceAll("&amp;", "&").replace("/__admin/", ""))).toMatch(
      new RegExp(`id="${entry}"[^>]* aria-expanded="true"`),
    );
  });

  test.each([
    ["an uploaded document", "document.uploaded"],
    ["a completed document", "document.completed"],
  ] as const)("adminInspector shows no due work after %s moved back to draft", async (_, status) => {
    const world = await testWorld();
    const { id } = (await succeed(world.admin("POST", "/documents", { status }))).body;
    if (status === "document.completed") {
      await succeed(world.admin("POST", `/documents/${id}/step/revert`));
      await succeed(world.admin("POST", `/documents/${id}/step/complete_manually`));
    }
    expect((await world.admin("GET", `/documents/${id}`)).body.jobs).toHaveLength(1);
    await succeed(world.admin("POST", `/documents/${id}/step/revert`));
    expect((await world.admin("GET", `/documents/${id}`)).body).toMatchObject({ status: "document.draft", jobs: [] });
    expect(await pageOf(world, `?view=documents&id=${id}`)).not.toMatch(/convert document|make pdf/);
  });
});
