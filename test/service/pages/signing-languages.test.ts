/** Tests that every text of a signing page comes from the table of translations, except the words of users. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { DocumentRow } from "../../../src/service/model/documents/document.ts";
import { type SessionView, viewSession } from "../../../src/service/domain/signing/sessions.ts";
import { ACT_NOTICES } from "../../../src/service/pages/page-answers.ts";
import {
  languageOf,
  translatedMessage,
  translator,
  WORDS,
  wordsForScripts,
} from "../../../src/service/pages/signing/languages.ts";
import { failurePage, signingPage, type Turn } from "../../../src/service/pages/signing/page.ts";
import { OFFER } from "../../support/choice-offer.ts";
import { lab } from "../../support/lab.ts";
import { aDraft, CLIENT, simulate, type StoryOptions, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

/** Texts and attributes that people read or hear. */
function textsOf(page: string): string[] {
  const body = page.replace(/<(style|script|code)\b.*?<\/\1>/gs, "").replace(/<!doctype[^>]*>/, "");
  const attributes = [...body.matchAll(/\s(?:aria-label|alt|placeholder|title|data-column)="([^"]*)"/g)].map(
    ([, text]) => text ?? "",
  );
  const texts = body.split(/<[^>]*>/);
  return [...attributes, ...texts]
    .map((text) => text.replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole).trim())
    .filter((text) => /\p{L}/u.test(text));
}

const GERMAN = Object.values(WORDS).flatMap(([german]) => german.split(/\{\w+\}/));

/** The rest of a text after removal of the table's German words and of the users' words. */
function foreignPart(text: string, own: readonly string[]): string {
  if (own.some((one) => one.includes(text))) return "";
  const known = [...GERMAN, ...own].map((one) => one.trim()).filter((one) => /\p{L}{2}/u.test(one));
  const rest = known.sort((a, b) => b.length - a.length).reduce((left, one) => left.replaceAll(one, " "), text);
  return rest
    .replace(/\b[A-Z]{3}\b|\b\w\b/g, " ")
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}

function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

function expectGerman(page: unknown, own: readonly string[], state: string): void {
  const text = String(page);
  expect(text, state).toContain('<html lang="de">');
  const foreign = textsOf(text).flatMap((one) => (foreignPart(one, own) === "" ? [] : [one]));
  expect(foreign, state).toEqual([]);
}

async function aGermanDocument(world: TestWorld, options: StoryOptions = {}, language = "de-DE") {
  const id = await aDraft(world, options);
  await succeed(
    world.call("documentSettingsUpdate", { params: { document_id: id }, body: { language, suggest_edits: true } as never }),
  );
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
  const session = (await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }))).body
    .id as string;
  const document = () => world.tenant.store.documents.get(id) as DocumentRow;
  const own = () => [...leaves(document()), ...world.tenant.store.users.all().flatMap(leaves), "docdouble"];
  const view = () => viewSession(world.tenant.world, session) as Extract<SessionView, { is: "open" }>;
  const show = (turn: Turn = {}) => signingPage(world.tenant.world, view(), turn);
  const post = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form);
    const answer = await world.sandbox.fetch(`/s/${session}/`, { method: "POST", body });
    return answer.status === 303
      ? String(show({ notice: ACT_NOTICES[answer.headers.get("location")?.split("notice=")[1] ?? ""] }))
      : answer.text();
  };
  return { id, session, document, own, view, show, post };
}

describe("the signing page in German", () => {
  test("has only German texts while a document is filled in, refused, finished, paid and read", async () => {
    const world = await testWorld();
    const every = await aGermanDocument(world, { template: "everyField" });
    expectGerman(every.show(), every.own(), "fill");
    expectGerman(await every.post({ act: "finish", fields: "1" }), every.own(), "empty fields");
    for (const act of ["comment", "forward", "pay", "other", "save", "suggest"])
      expectGerman(await every.post({ act }), every.own(), act);
    await simulate(world, every.id, "expire");
    expectGerman(every.show(), every.own(), "expired");
    const declined = await aGermanDocument(world);
    expectGerman(await declined.post({ act: "decline", reason: "docdouble" }), declined.own(), "declining");
    expectGerman(declined.show(), declined.own(), "declined, with a reason");
    const paying = await aGermanDocument(world, { template: "payment" });
    expectGerman(paying.show(), paying.own(), "with a payment");
    await simulate(world, paying.id, "sign");
    expectGerman(paying.show(), paying.own(), "pay");
    for (const act of ["pay_fail", "pay"]) expectGerman(await paying.post({ act }), paying.own(), act);
    for (const template of ["pricing", "quote"] as const) {
      const priced = await aGermanDocument(world, { template });
      expectGerman(priced.show(), priced.own(), template);
      await simulate(world, priced.id, "sign");
      expectGerman(priced.show(), priced.own(), `${template}, completed`);
    }
  });

  test("has only German texts where a signer has choices", async () => {
    const world = await lab(OFFER);
    const choosing = await aGermanDocument(world, { body: { template_uuid: "TemplateChoicexxxxxxxx" } });
    expectGerman(choosing.show(), choosing.own(), "choices");
    expectGerman(await choosing.post({ act: "save", choices: "1" }), choosing.own(), "a quantity that is missing");
  });

  test("has only German texts where it stops, verifies the recipient, or fails", async () => {
    const world = await testWorld();
    const one = await aGermanDocument(world);
    const { document, recipient, session } = one.view();
    const own = one.own();
    const show = (view: SessionView, turn: Turn = {}) => String(signingPage(world.tenant.world, view, turn));
    for (const why of ["session_expired", "not_out", "review", "expired", "declined", "turn", "handed_over"] as const)
      expectGerman(show({ is: "stopped", why, document, recipient }), own, why);
    for (const kind of ["passcode", "phone", "email", "kba", "id"] as const)
      for (const [locked, turn] of [
        [false, {}],
        [false, { notice: ACT_NOTICES.send_code as string, refusal: "This is not correct. Try again." }],
        [true, {}],
      ] as const)
        expectGerman(
          show({ is: "verify", kind, locked, document, recipient, member: undefined, session }, turn),
          own,
          `${kind} ${locked}`,
        );
    expectGerman(failurePage(500, {}, document), own, "failure");

    const fetched = async (path: string) => {
      const answer = await world.sandbox.fetch(path, { headers: { "accept-language": "it, de-CH;q=0.8, en;q=0.5" } });
      return answer.text();
    };
    expectGerman(await fetched("/s/nothing/"), ["docdouble"], "unknown");
    expectGerman(await fetched("/document/nothing"), ["docdouble"], "unknown link");
    world.sandbox.rules.add({ name: "broken", when: { path: "/s/*" }, then: { respond: { status: 503 } } });
    expectGerman(await fetched("/s/nothing/"), ["docdouble"], "failure without a document");
    expectGerman(await fetched(`/s/${one.session.toString()}/`), own, "failure of a session");
  });
});

test("the table has every sentence of the page's code and answers, with the same placeholders in each language", () => {
  const code = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
      .join("\n");
  const pages = code("src/service/pages/signing");
  const answers = readFileSync("src/service/pages/session-form.ts", "utf8");
  const sentences = [
    ...[...pages.matchAll(/\bt\("([^"]+)"/g)],
    ...[...pages.matchAll(/\b(?:title|text|label): "([A-Z][^"]+)"/g)],
    ...[...`${pages}${answers}`.matchAll(/(?:refusal|notice): "([^"]+)"/g)],
    ...[...pages.matchAll(/errors\[\w+\] = "([^"]+)"/g)],
  ].map(([, text]) => text ?? "");
  expect(sentences.length).toBeGreaterThan(100);
  expect([...sentences, ...Object.values(ACT_NOTICES)].filter((text) => WORDS[text] === undefined)).toEqual([]);
  const german = { internal: { settings: { language: "de" } } } as DocumentRow;
  const scripts = ["signing.js", "drawing.js"]
    .map((name) => readFileSync(`src/service/pages/signing/${name}`, "utf8"))
    .join("\n");
  for (const [, text = ""] of scripts.matchAll(/\bt\(\s*"([^"]+)"/g)) expect.soft(wordsForScripts(german)).toHaveProperty([text]);
  for (const [english, columns] of Object.entries(WORDS)) {
    const places = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const one of columns) expect.soft(places(one), english).toEqual(places(english));
  }
});

test("a message of the service that contains a name is translated, and an unknown message stays in English", () => {
  const t = translator({ internal: { settings: { language: "es-ES" } } } as DocumentRow);
  expect(translatedMessage(t, "It is not the turn of Ana {name} yet.")).toBe("Aún no es el turno de Ana {name}.");
  expect(translatedMessage(t, '"L" is not a valid choice.')).toBe("«L» no es una opción válida.");
  expect(translatedMessage(t, "The end of everything.")).toBe("The end of everything.");
  expect(["fr-CA,fr;q=0.9", "en-GB,de", "it", ""].map((header) => languageOf(undefined, header))).toEqual([
    "fr",
    "en",
    "en",
    "en",
  ]);
});
