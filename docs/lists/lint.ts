/** Makes the list of what client lint finds, from its records. */
import { FINDING_KINDS } from "../../src/inspector/lint/finding.ts";
import { FINDINGS } from "../../src/inspector/lint/records.ts";

const INTRO = `Client lint reports mistakes of a client that its tests may not show. The service accepts most of them. It refuses or slows some calls, and the client does not react well.

You see the findings in these places:

- \`docdouble start\` prints a yellow line for each finding.
- \`docdouble run\` prints all findings at the end. With \`--junit\`, the test case \`lint\` lists them.
- The inspector shows them on its page \`lint\`.
- \`expect(sandbox).toBeClean()\` fails on a finding. \`toBeClean({ except: ["unknown_token"] })\` ignores one kind.
- \`sandbox.lint()\` returns them, and \`GET /__admin/contract\` lists them.
- A scenario with \`expect: { contract: clean }\` fails on a finding.

A finding has these members:

| member | meaning |
|---|---|
| \`kind\` | the kind of mistake, a heading of this page |
| \`message\` | what happened |
| \`fix\` | what to change |
| \`docs\` | the section of this page |
| \`place\` | where it happened first: \`operation\` and \`nth\` (1 for the first call of the operation), \`call\`, \`document\`, \`document_id\`, \`pointer\` (a JSON pointer into the request body) or \`receiver\` |
| \`times\` | how often client lint found it. One finding may need several calls: \`polling_too_fast\` needs at least four. |
| \`entries\` | ids of journal entries or deliveries that prove it, at most 100 |

docdouble keeps up to 1,000 different findings. They disappear when you reset the world or clear the journal.`;

export function lintList(): string {
  const sections = FINDING_KINDS.map((kind) => {
    const { title, meaning, matters, fix, example, limits } = FINDINGS[kind];
    return [
      `## ${kind}`,
      `${title}.`,
      meaning,
      `**Why it matters.** ${matters}`,
      `**Fix.** ${fix}`,
      `**Example.** ${example}`,
      ...(limits === undefined ? [] : [`**Limits.** ${limits}`]),
    ].join("\n\n");
  });
  return `# Client lint\n\n${INTRO}\n\n${sections.join("\n\n")}\n`;
}
