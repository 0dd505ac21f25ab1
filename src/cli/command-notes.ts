export interface CommandNotes {
  examples: readonly (readonly [line: string, does: string])[];
  exit: Readonly<Record<number, string>>;
  /** What every other code means. */
  else?: string;
}

export const USAGE_EXIT = "the arguments are wrong, or a file cannot be read";

const REMOTE = { 0: "done", 1: "the server cannot be reached, or refused" };
const PRINTS = { 0: "done" };

export const NOTES: Readonly<Record<string, CommandNotes>> = {
  start: {
    examples: [
      ["start --webhook http://localhost:3000/hook", "serve, and send every event to your receiver"],
      ["start --scenario scenarios/bad-day.yaml --watch", "serve a scenario, and reload it when it changes"],
      ["start --clock frozen --now 2026-03-02T09:00:00Z --seed 7", "serve the same world each time"],
      ["start --log json", "print each event as a line of JSON"],
    ],
    exit: { 0: "an interrupt ended the server", 1: "the last changes could not be written to the data file" },
  },
  run: {
    examples: [
      ["run scenarios/locked-twice.yaml -- node client.mjs", "run your client against a scenario, and verify it"],
      ["run --intercept -- node client.mjs", "send a client's calls to api.pandadoc.com to docdouble"],
      ["run story.yaml --env PANDADOC_URL={url} --junit report.xml -- npm test", "set your own variable, and write a report"],
      ["run --every-reading delete.second -- npm test", "find out whether your client depends on an assumption"],
    ],
    exit: {
      0: "the command passed and every expectation holds",
      1: "an expectation failed",
      127: "the command cannot start",
    },
    else: "the command's own code",
  },
  proxy: {
    examples: [["proxy", "answer api.pandadoc.com for clients that use HTTPS_PROXY"]],
    exit: { 0: "an interrupt ended the proxy" },
  },
  explore: {
    examples: [
      ["explore -- node client.mjs", "try every fault at every call of your client"],
      ["explore --budget 2m --report report.html -- npm test", "stop after two minutes, and write a page"],
      ["explore --shard 1/3 --report part-1.json -- npm test", "search the first of three parts"],
      ["explore --merge part-1.json part-2.json part-3.json", "join the reports of the parts"],
    ],
    exit: {
      0: "nothing broke",
      1: "something broke",
      3: "runs without faults fail or differ",
      130: "an interrupt ended the search",
    },
  },
  compare: {
    examples: [
      ["compare --real https://api.pandadoc.com --real-key KEY -- npm test", "compare the real service with docdouble"],
      ["compare --record calls.cassette --real https://api.pandadoc.com --real-key KEY -- npm test", "record a cassette too"],
    ],
    exit: { 0: "no difference", 1: "a difference; if the command fails, its own code" },
  },
  import: {
    examples: [["import traffic.har --out calls.cassette", "make a cassette without secrets, and replay it later"]],
    exit: { 0: "the cassette is written", 2: "the file is not a HAR, or holds no call to the service" },
  },
  replay: {
    examples: [["replay calls.cassette --report report.md", "play a cassette offline, and write a report"]],
    exit: { 0: "no difference", 1: "a difference" },
  },
  probe: {
    examples: [
      ["probe --dry-run", "list the calls and send nothing"],
      ["probe --real https://api.pandadoc.com --key KEY --write readings.yaml", "write what your account does to a file"],
    ],
    exit: { 0: "every reading is confirmed or undecided", 1: "a reading is contradicted, or something may be left" },
  },
  init: {
    examples: [
      ["init", "write an example to the folder docdouble"],
      ["init pytest", "write a fixture and an example test for pytest"],
    ],
    exit: { 0: "the files are written" },
  },
  check: {
    examples: [["check scenarios/bad-day.yaml", "report mistakes with line and column"]],
    exit: { 0: "no mistake, perhaps warnings", 1: "a mistake" },
  },
  world: {
    examples: [
      ["world save shop.world", "save everything that the server knows"],
      ["world load shop.world http://127.0.0.1:4020", "go on with it in another server"],
      ["world show shop.world", "look at a saved world, such as one of a failed CI job"],
    ],
    exit: REMOTE,
  },
  clock: {
    examples: [
      ["clock show", "print the time, the mode and the next job"],
      ["clock advance 3d", "run everything that falls due in three days"],
      ["clock advance next", "move to the next job"],
    ],
    exit: REMOTE,
  },
  do: {
    examples: [
      ["do", "list all verbs"],
      ["do webhooks.deliveries --state delivered", "list the deliveries that arrived"],
      ["do rules.add --rule @busy.json", "add the rule of a file"],
    ],
    exit: REMOTE,
  },
  trigger: {
    examples: [["trigger document_completed", "send the event about the newest completed document; create one if there is none"]],
    exit: REMOTE,
  },
  logs: {
    examples: [
      ["logs", "show calls, webhooks, acts and the clock of http://127.0.0.1:4010"],
      ["logs http://127.0.0.1:4020 --json", "print each event as a line of JSON"],
    ],
    exit: { 0: "an interrupt, or the server ended", 1: REMOTE[1] },
  },
  listen: {
    examples: [
      ["listen --forward http://localhost:3000/hook", "subscribe your receiver until the interrupt"],
      ["listen --events document_state_changed", "show deliveries of one event"],
    ],
    exit: { 0: "an interrupt, or the server ended", 1: REMOTE[1] },
  },
  coverage: { examples: [["coverage --all --json", "print all operations as JSON"]], exit: REMOTE },
  mcp: {
    examples: [
      ["mcp", "let a coding agent use a new double"],
      ["mcp --url http://127.0.0.1:4010", "let it use a running server"],
    ],
    exit: { 0: "standard input ended" },
  },
  health: { examples: [["health", "check http://127.0.0.1:4010"]], exit: { 0: "ready", 1: "not ready, or not reachable" } },
  assumptions: { examples: [["assumptions --json", "print every assumption with its readings"]], exit: PRINTS },
  openapi: {
    examples: [["openapi > openapi.json", "write the description of the served API"]],
    exit: PRINTS,
  },
  schema: { examples: [["schema scenario > scenario.schema.json", "write the schema for your editor"]], exit: PRINTS },
};

export function notesText(name: string): string {
  const notes = NOTES[name];
  if (!notes) return "";
  const examples = notes.examples.flatMap(([line, does]) => [`  # ${does}`, `  docdouble ${line}`]);
  const codes = Object.entries({ ...notes.exit, 2: USAGE_EXIT }).map(([code, meaning]) => `  ${code.padEnd(4)}${meaning}`);
  if (notes.else !== undefined) codes.push(`  any ${notes.else}`);
  return ["", "Examples:", ...examples, "", "Exit codes:", ...codes].join("\n");
}
