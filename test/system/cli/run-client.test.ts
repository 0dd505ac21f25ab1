/** `expect.client`: `docdouble run` checks how long a command takes, its exit code and its output. */
import { expect, test } from "vitest";
import { files, run } from "../../support/process.ts";

const scenario = (client: string, wait = "1s") => `version: 1
name: client
fixtures: ./small.yaml
clock: { mode: auto }
rules:
  - { name: busy, when: { operation: listDocuments }, then: { error: throttled, retry_after: ${wait}, times: 1 } }
expect: { client: ${client} }
`;
const FIXTURES = `workspaces: [{ name: Small }]
templates: [{ name: Plain }]
documents: [{ name: Seeded, template: Plain, status: document.draft }]
`;

/** Lists the documents, retries when throttled, and prints the status of the single document. */
const client = (pause_ms: number, said?: string) => `(async () => {
  const headers = { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY };
  const list = () => fetch(process.env.DOCDOUBLE_URL + "/public/v1/documents", { headers });
  let answer = await list();
  while (!answer.ok) { await new Promise((resolve) => setTimeout(resolve, ${pause_ms})); answer = await list(); }
  const { results } = await answer.json();
  console.log("done");
  ${said === "nothing" ? "" : `console.log(JSON.stringify({ [results[0].id]: ${JSON.stringify(said ?? "document.draft")}, count: results.length }));`}
})()`;

const HANGS = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }); setInterval(() => {}, 1000)`;

test.each<[what: string, expected: string, code: string, exit: number, message: string, wait?: string]>([
  [
    "that keeps all of it",
    "{ ends_within: 30s, succeeds: true, truthful: true, without: [ignored_retry_after] }",
    client(1100),
    0,
    "every expectation holds",
  ],
  [
    "that does not end, with all that it started,",
    "{ ends_within: 1s }",
    HANGS,
    1,
    "✗ client: the command ends: expected within 1 s, found it still ran, and docdouble ended it",
  ],
  [
    "that fails",
    "{ succeeds: true }",
    "process.exitCode = 3",
    3,
    "✗ client: the command succeeds: expected exit code 0, found exit code 3",
  ],
  [
    "that says what is not so",
    "{ truthful: true }",
    client(0, "document.sent"),
    1,
    "✗ client: the last line of the command is true of its documents: expected document.draft, found document.sent",
  ],
  [
    "that says nothing",
    "{ truthful: true }",
    client(0, "nothing"),
    1,
    'expected JSON such as {"ID": "document.sent"}, found none',
  ],
  [
    "that is impatient, though the clock moved",
    "{ without: [ignored_retry_after] }",
    client(200),
    1,
    "found The client repeats listDocuments after 0.2 s, though the answer asks it to wait 10 s.",
    // Long enough that a busy machine does not make the client patient.
    "10s",
  ],
])("run judges a command %s", async (_, expected, code, exit, message, wait) => {
  const file = files({ "s.yaml": scenario(expected, wait), "small.yaml": FIXTURES });
  const ended = await run(["run", file, "--", process.execPath, "-e", code]);
  expect(ended.stderr).toContain(message);
  expect(ended.code).toBe(exit);
  if (code.includes("done")) expect(ended.stdout).toContain("done");
});
