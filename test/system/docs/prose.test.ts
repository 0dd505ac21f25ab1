/** `npm run prose` checks the sentences that users and contributors read: messages, HTML, comments and titles of tests, but no code. */
import { expect, test } from "vitest";
import { commentsIn, textsOfCode } from "../../../docs/prose/code-texts.ts";
import { textsIn, textsOfHtml } from "../../../docs/prose/messages.ts";
import { problemsIn } from "../../../docs/prose/rules.ts";
import { reasonsPage, TOPICS } from "../../../docs/reasons-page.ts";
import { reasons, reasonsIn } from "../../../docs/reasons.ts";
import { misspelled } from "../../../docs/prose/spelling.ts";

const found = (source: string, file = "src/web/page.ts") => textsIn(file, source).map(({ text }) => text);

test("messages, parts of templates and attributes are texts, but code, labels, paths and lists of words are not", () => {
  expect(found(`throw new Error(\`cannot write \${file}: check the folder\`)`)).toEqual(["cannot write value: check the folder"]);
  expect(found('const LABEL = "Two words"; const PATH = "GET /__admin/webhooks/deliveries now please"')).toEqual([]);
  expect(found('new Set("a list of single words".split(" "))')).toEqual([]);
  const page = '<p title="what the part is for">Open the <a href="/x">page of <b>mails</b></a>.</p><style>a b c d e f</style>';
  expect(found(`html\`${page}\``)).toEqual(["Open the page of mails.", "what the part is for"]);
  expect(found(`html\`<p>\${ok ? html\`<b>none of the mails is here</b>\` : null}</p>\``)).toEqual(["none of the mails is here"]);
  expect(textsOfHtml("<p>Run <code>npm run site</code> in the folder</p>")).toContain("Run value in the folder");
});

test("the service's message is not checked, but our reason beside it is", () => {
  const source = 'refuse({ detail: "what is given is none of ours", why: "the document is not a draft" })';
  expect(found(source, "src/service/domain/documents/a.ts")).toEqual(["the document is not a draft"]);
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

test("spelling is American, and a word next to a value of the program is not checked", async () => {
  const texts = [
    { place: "a.ts", text: "The value is labelled with its colour" },
    { place: "b.ts", text: "The documentvalue is labeled with its color" },
    { place: "c.ts", text: "Send the e-mail again" },
  ];
  const found = (await misspelled([], texts)).map(({ place, text }) => `${place} ${/\((.+?)\)/.exec(text)?.[1]}`);
  expect(found).toEqual(["a.ts labelled", "a.ts colour", "c.ts e-mail"]);
});

test("docs/reasons.md explains each reason that an answer can give, and no other", () => {
  expect(() => reasonsPage("")).not.toThrow();
  const explained = TOPICS.flatMap((topic) => topic.reasons.map(([text]) => text));
  expect(explained.toSorted()).toEqual(
    reasons()
      .map(({ text }) => text)
      .toSorted(),
  );
});

test("reasons are found in calls, properties, choices and tables", () => {
  expect(reasonsIn(`throw notFound(\`no document \${id}\`)`)).toEqual(["no document …"]);
  expect(reasonsIn('const WHY_STOPPED = { expired: "the document has expired" }')).toEqual(["the document has expired"]);
  expect(reasonsIn('throw forbidden(own ? "the first text" : "the second text")')).toEqual(["the first text", "the second text"]);
});

test("each paragraph and list item of a comment is a text, without directives, examples and code", () => {
  const source = [
    "/**",
    " * Sends the `body`. @throws when {@link send} fails",
    " *",
    " * - one item",
    " * - another item",
    " * @example",
    " * await send();",
    " */",
    "const URL = 'https://a.example'; // The default.",
    "",
    "// One sentence that",
    "// continues here.",
    "// biome-ignore lint/style/useConst: written later",
    "let text = `// no comment`;",
    // Joined from parts, so that this file proves no rule.
    `${"// proves"}: spec:one`,
  ].join("\n");
  expect(commentsIn("a.ts", source)).toEqual([
    { place: "a.ts:1", text: "Sends the value. when value fails" },
    { place: "a.ts:1", text: "- one item" },
    { place: "a.ts:1", text: "- another item" },
    { place: "a.ts:9", text: "The default." },
    { place: "a.ts:11", text: "One sentence that continues here." },
  ]);
});

test("the checked texts include the titles of tests and the comments of scripts", () => {
  const places = textsOfCode().map(({ place, text }) => `${place} ${text}`);
  expect(places).toContain(
    "test/system/docs/prose.test.ts the checked texts include the titles of tests and the comments of scripts",
  );
  for (const folder of ["src/", "test/", "bench/", "docs/", "examples/", ".ci/"])
    expect(
      places.some((one) => one.startsWith(folder)),
      folder,
    ).toBe(true);
});
