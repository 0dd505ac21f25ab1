/** Tests the lists of the inspector as the server sends them: order, columns, filters, amounts and what a comparison says. */
import { describe, expect, test } from "vitest";
import { pageOf } from "../support/inspector.ts";
import { receiver } from "../support/receiver.ts";
import { aDraft, aSentDocument, aSubscription, anUploadedDocument, simulate, succeed } from "../support/stories.ts";
import { testWorld } from "../support/world.ts";
import { words } from "../../src/service/words.ts";

/** The text of a part of a page, with one space between words. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
}

/** The bold words of the rows of a table, from the first row to the last. */
function namesIn(page: string): string[] {
  return [...page.matchAll(/<td[^>]*><a class="row"[^>]*>.*?<strong>(.*?)<\/strong>/gs)].map(([, name = ""]) => textOf(name));
}

function chipsIn(page: string): string[] {
  const [bar = ""] = /<nav class="filters".*?<\/nav>/s.exec(page) ?? [];
  return [...bar.matchAll(/<a [^>]*>(.*?)<\/a>/gs)].map(([, chip = ""]) => textOf(chip));
}

describe("the order of a list", () => {
  test("the second click reverses the first exactly, also among rows of one instant", async () => {
    const world = await testWorld();
    for (const name of ["A", "B", "C"]) await anUploadedDocument(world, { body: { name } });
    const falling = namesIn(await pageOf(world, "?view=documents&sort=-changed"));
    expect(falling).toEqual(["C", "B", "A"]);
    expect(namesIn(await pageOf(world, "?view=documents&sort=changed"))).toEqual(falling.toReversed());
  });

  test("amounts of one currency stand together, and documents without an amount stand last in both directions", async () => {
    const world = await testWorld();
    await anUploadedDocument(world, { body: { name: "Nothing" } });
    await anUploadedDocument(world, { template: "euro", body: { name: "Euro" } });
    await anUploadedDocument(world, { template: "payment", body: { name: "Most" } });
    await anUploadedDocument(world, { template: "pricing", body: { name: "Less" } });
    expect(namesIn(await pageOf(world, "?view=documents&sort=-value"))).toEqual(["Most", "Less", "Euro", "Nothing"]);
    expect(namesIn(await pageOf(world, "?view=documents&sort=value"))).toEqual(["Euro", "Less", "Most", "Nothing"]);
    // The first click on an amount shows the highest.
    expect(await pageOf(world, "?view=documents")).toContain('id="sort-value" href="/__admin/?view=documents&amp;sort=-value"');
  });

  test("the filters of documents follow the life of a document, whichever status came first", async () => {
    expect([...words.life].sort()).toEqual([...words.statuses].sort());
    const world = await testWorld();
    const sent = await aSentDocument(world);
    await simulate(world, sent, "decline", { reason: "too late" });
    await aSentDocument(world);
    await aDraft(world);
    expect(chipsIn(await pageOf(world, "?view=documents"))).toEqual(["all 3", "draft 1", "sent 1", "declined 1"]);
    expect(chipsIn(await pageOf(world, "?view=documents&sort=name"))).toEqual(["all 3", "draft 1", "sent 1", "declined 1"]);
  });

  test("the filters of the journal keep their order when a refused call comes first or last", async () => {
    const world = await testWorld();
    await world.call("statusDocument", { params: { id: "nothing" } });
    const before = chipsIn(await pageOf(world, "?view=journal"));
    await world.call("listDocuments");
    await world.request("GET", "/document/nothing");
    expect(before).toEqual([]);
    expect(chipsIn(await pageOf(world, "?view=journal"))).toEqual(["all 3", "answered 1", "refused 2", "pages 1"]);
    await world.call("statusDocument", { params: { id: "nothing" } });
    // Equal reads share a row.
    expect(chipsIn(await pageOf(world, "?view=journal"))).toEqual(["all 3", "answered 1", "refused 2", "pages 1"]);
  });
});

describe("the cells of a list", () => {
  test("amounts have the decimals of their currency and commas, in the list and on the page of the document", async () => {
    const world = await testWorld();
    const id = await aDraft(world, { template: "payment", body: { name: "Offer" } });
    const list = await pageOf(world, "?view=documents");
    expect(textOf(list)).toContain("1,200.00 USD");
    const page = await pageOf(world, `?view=documents&id=${id}`);
    expect(textOf(page)).toContain("1,200.00 USD");
    expect(textOf(`${list} ${page}`)).not.toMatch(/\b1200(?:\.00)? USD/);
  });

  test("a call shows its reason, a mark instead of a stock sentence, and the document of a page", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world, { body: { name: "Offer 42" } });
    const session = await succeed(
      world.call("createDocumentLink", { params: { id }, body: { recipient: "ivo.marek@client.example" } }),
    );
    await world.request("GET", `/s/${session.body.id}/`);
    const page = await pageOf(world, "?view=journal");
    const rows = [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) => row);
    const row = (operation: string) => rows.find((one) => one.includes(`<strong>${operation}</strong>`)) ?? "";
    expect(textOf(row("sendDocument"))).not.toContain("answered as docdouble");
    expect(row("sendDocument")).toMatch(/title="Assumption send\.\w+">assumed</);
    expect(row("signingPage")).toContain(`id=${id}">Offer 42</a>`);
    expect(textOf(row("signingPage"))).toContain("GET /s/");
    expect(textOf(row("sendDocument"))).toContain(`POST /public/v1/documents/${id}/send`);
  });

  test("ages have hours within a day, then days with a decimal", async () => {
    const world = await testWorld();
    await anUploadedDocument(world);
    const age = async (by: string) => {
      await world.advance(by);
      return /title="[^"]*on the clock of default">([^<]*ago)<\/time>/.exec(await pageOf(world, "?view=documents&sort=-id"))?.[1];
    };
    expect([await age("23h"), await age("7h"), await age("20d")]).toEqual(["22 h ago", "1.2 d ago", "21 d ago"]);
  });
});

describe("deliveries", () => {
  test("a filter and the count of failed attempts lead to deliveries that failed once, also after they arrived", async () => {
    const world = await testWorld({ port: 0 });
    const hook = await receiver();
    await aSubscription(world, hook);
    const when = { event: "document_state_changed", document: { name: "Offer 42" } };
    await succeed(world.admin("POST", "/webhooks/rules", { name: "down", when, then: { attempt_result: 503, times: 1 } }));
    await aDraft(world, { body: { name: "Offer 42" } });
    await aDraft(world, { body: { name: "Offer 43" } });
    await world.advance("5m");
    const all = world.tenant.store.deliveries.all();
    expect(all.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    const page = await pageOf(world, "?view=deliveries");
    expect(chipsIn(page)).toEqual(["all 2", "delivered 2", "had failures 1", "to Mine 2"]);
    expect(page).toContain('<a href="/__admin/?view=deliveries&amp;is=had+failures">1 failed attempt</a>');
    const failed = await pageOf(world, `?view=deliveries&is=had+failures&open=${all[0]?.id}`);
    expect(textOf(failed)).toContain("Offer 42");
    expect(textOf(failed)).not.toContain("Offer 43");
    const [attempts = ""] = /<ol [^>]*data-testid="attempts".*?<\/ol>/s.exec(failed) ?? [];
    expect(textOf(attempts)).toMatch(/^503 .* 200 .* \+\d+ (?:s|min) · /);
    const [sent = ""] = /(?<=data-testid="sent-headers">).*?(?=<\/code>)/s.exec(failed) ?? [];
    const received = hook.received.find((one) => one.body[0].data.name === "Offer 42");
    const headers = sent.split("\n").map((line) => line.split(": ") as [string, string]);
    expect(headers.map(([name]) => name)).toEqual(
      expect.arrayContaining(["content-type", "user-agent", "x-pandadoc-webhook-event-id"]),
    );
    for (const [name, value] of headers) expect(received?.headers[name], name).toBe(value);
    // What people came for is open: the data of the event.
    expect(failed).toMatch(/&quot;data&quot;<\/span>: <details id="[^"]+" open>/);
  });
});

describe("two calls side by side", () => {
  test("a comparison shows both calls whole, and marks the lines that only one has", async () => {
    const world = await testWorld();
    await anUploadedDocument(world, { body: { name: "Offer 42" } });
    await anUploadedDocument(world, { body: { name: "Offer 43" } });
    const [one, other] = world.tenant.journal.all();
    const page = await pageOf(world, `?view=journal&id=${one?.id}&with=${other?.id}`);
    const [request = ""] = /data-testid="compare-request">.*?<\/section>/s.exec(page) ?? [];
    expect(request.match(/<mark>.*?<\/mark>/g)).toEqual([
      expect.stringContaining("Offer 42"),
      expect.stringContaining("Offer 43"),
    ]);
    const [call = ""] = /data-testid="compare-call">.*?<\/section>/s.exec(page) ?? [];
    expect(call).toContain("Status: 201");
    expect(page).toContain('<details id="compare-headers">');
  });
});

describe("empty lists", () => {
  test("an empty list has no search and no download, and shows a call that fills it", async () => {
    const world = await testWorld();
    for (const [view, command] of [
      ["documents", "/public/v1/documents"],
      ["journal", "/public/v1/documents"],
      ["deliveries", "/public/v1/webhook-subscriptions"],
    ]) {
      const page = await pageOf(world, `?view=${view}`);
      const [, main = ""] = page.split("<main");
      expect(main, view).not.toContain('class="search"');
      expect(main, view).not.toContain("har");
      expect(main, view).toMatch(new RegExp(`data-copy="curl [^"]*${command}`));
    }
    expect((await pageOf(world, "?view=mails")).split("<main")[1]).not.toContain('class="search"');
    expect((await pageOf(world, "?view=lint")).split("<main")[1]).not.toContain('class="search"');
  });
});

test("a finding leads to its call and its section of the guide, and says why it matters", async () => {
  const world = await testWorld();
  await aDraft(world, { body: { tokenz: [] } });
  const [call] = world.tenant.journal.all();
  const page = await pageOf(world, "?view=lint&open=lint-0");
  expect(page).toContain(`id=${call?.id}">createDocument, call 1</a>`);
  expect(page).toContain('<a href="/docs/lint#unknown-field">unknown_field in the guide</a>');
  expect(page).toContain("Why it matters");
});
