/** The check of sentences sees what a reader of the program sees: messages and the text of HTML, and no code. */
import { expect, test } from "vitest";
import { textsIn, textsOfHtml } from "../docs/prose/messages.ts";
import { problemsIn } from "../docs/prose/rules.ts";
import { reasonsPage, TOPICS } from "../docs/reasons-page.ts";
import { reasons, reasonsIn } from "../docs/reasons.ts";
import { misspelledTexts } from "../docs/prose/spelling.ts";

const found = (source: string, file = "src/web/page.ts") => textsIn(file, source).map(({ text }) => text);

test("messages, parts of templates and attributes are texts; code, labels, paths and lists of words are not", () => {
  expect(found(`throw new Error(\`cannot write \${file}: check the folder\`)`)).toEqual(["cannot write value: check the folder"]);
  expect(found('const LABEL = "Two words"; const PATH = "GET /__admin/webhooks/deliveries now please"')).toEqual([]);
  expect(found('new Set("a list of single words".split(" "))')).toEqual([]);
  const page = '<p title="what the part is for">Open the <a href="/x">page of <b>mails</b></a>.</p><style>a b c d e f</style>';
  expect(found(`html\`${page}\``)).toEqual(["Open the page of mails.", "what the part is for"]);
  expect(found(`html\`<p>\${ok ? html\`<b>none of the mails is here</b>\` : null}</p>\``)).toEqual(["none of the mails is here"]);
  expect(textsOfHtml("<p>Run <code>npm run site</code> in the folder</p>")).toContain("Run value in the folder");
});

test("a body of the service keeps the service's words", () => {
  const source = 'refuse({ detail: "what is given is none of ours", why: "the document is not a draft" })';
  expect(found(source, "src/domain/documents/a.ts")).toEqual(["the document is not a draft"]);
  expect(found(source)).toContain("what is given is none of ours");
});

test.each([
  "Its address is none of the web",
  "What is dropped is not told",
  "The lock was taken away",
  "Undeclared goes with error only",
])("a riddle is found: %s", (sentence) => {
  expect(problemsIn(sentence)).not.toEqual([]);
});

test("spelling is American, and a word that is glued to a value of the program is no mistake", async () => {
  const texts = [
    { place: "a.ts", text: "The value is labelled with its colour" },
    { place: "b.ts", text: "The documentvalue is labeled with its color" },
    { place: "c.ts", text: "Send the e-mail again" },
  ];
  const found = (await misspelledTexts(texts)).map(({ place, text }) => `${place} ${/\((.+?)\)/.exec(text)?.[1]}`);
  expect(found).toEqual(["a.ts labelled", "a.ts colour", "c.ts e-mail"]);
});

test("docs/reasons.md explains every reason that an answer can give, and no other", () => {
  expect(() => reasonsPage("")).not.toThrow();
  const explained = TOPICS.flatMap((topic) => topic.reasons.map(([text]) => text));
  expect(explained.toSorted()).toEqual(
    reasons()
      .map(({ text }) => text)
      .toSorted(),
  );
});

test("a reason may stand in a call, a property, a choice or a table", () => {
  expect(reasonsIn(`throw notFound(\`no document \${id}\`)`)).toEqual(["no document …"]);
  expect(reasonsIn('const WHY_STOPPED = { expired: "the document has expired" }')).toEqual(["the document has expired"]);
  expect(reasonsIn('throw forbidden(own ? "the first text" : "the second text")')).toEqual(["the first text", "the second text"]);
});
