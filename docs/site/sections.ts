/** The order of the documentation: pages that readers need first come first. A page without a place here comes under “More”. */
import { readdirSync, readFileSync } from "node:fs";

export interface Section {
  title: string;
  /** Pages below docs/, without their ending, with the title in the menu. */
  pages: readonly (readonly [path: string, title: string])[];
  isFolded?: boolean;
}

const SECTIONS: readonly Section[] = [
  {
    title: "Start",
    pages: [
      ["index", "What docdouble is"],
      ["guides/install", "Install"],
      ["tutorial", "Tutorial: the life of a document"],
      ["guides/production", "What differs from production"],
      ["guides/troubleshooting", "Troubleshooting"],
    ],
  },
  {
    title: "Set up your tests",
    pages: [
      ["guides/test-runners", "Vitest, Jest and node:test"],
      ["guides/playwright", "Playwright"],
      ["guides/cypress", "Cypress"],
      ["guides/msw", "MSW"],
      ["guides/fixed-host", "Code with a fixed host"],
      ["guides/fake-timers", "Fake timers and sleeps"],
      ["guides/templates", "Describe your account's templates"],
      ["guides/parallel", "Parallel tests"],
      ["languages", "Python, Java, PHP, Ruby, Go"],
    ],
  },
  {
    title: "Test one thing",
    pages: [
      ["guides/polling", "Wait for a document"],
      ["guides/webhooks", "Receive webhooks"],
      ["guides/express", "Express receiver"],
      ["guides/next", "Next.js receiver"],
      ["guides/retries", "Errors and retries"],
      ["guides/signing", "Sign in tests and browsers"],
      ["guides/embed", "Embedded signing"],
      ["guides/download", "Download the signed PDF"],
      ["guides/agents-that-send", "Agents that send contracts"],
      ["explore", "Find what breaks your client"],
      ["scenarios", "Tell a story in a file"],
      ["recipes", "More recipes"],
    ],
  },
  {
    title: "Run it",
    pages: [
      ["deploy", "Containers, CI, several servers"],
      ["guides/saved-worlds", "Save a world to a file"],
      ["guides/open-formats", "OpenAPI and HAR"],
      ["compare", "Compare with the real service"],
      ["probe", "Find your account's readings"],
    ],
  },
  {
    title: "Move to docdouble",
    pages: [
      ["guides/from-wiremock", "From WireMock"],
      ["guides/from-prism", "From Prism"],
      ["guides/from-mockoon", "From Mockoon"],
      ["guides/from-hand-written-mocks", "From hand-written mocks"],
    ],
  },
  {
    title: "Reference",
    pages: [
      ["library", "Library"],
      ["inspector", "Inspector and signing page"],
      ["limits", "Limits"],
      ["security", "Security"],
    ],
  },
  {
    title: "Printed lists",
    pages: [
      ["lists", "What docdouble prints"],
      ["commands", "Commands"],
      ["admin-api", "Admin API"],
      ["members", "Members of files"],
      ["assumptions", "Assumptions"],
      ["lint", "Client lint"],
      ["world", "The built-in world"],
      ["operations", "Operations"],
    ],
  },
  {
    title: "How it works",
    pages: [["architecture", "Architecture"]],
  },
  {
    title: "Evidence",
    isFolded: true,
    pages: [
      ["performance", "Performance"],
      ["reliability", "Reliability"],
    ],
  },
];

/** The sections, with every page of docs/ in one of them. */
export function sections(): Section[] {
  const placed = new Set(SECTIONS.flatMap(({ pages }) => pages.map(([path]) => path)));
  const others = ["", "guides/", "decisions/"]
    .flatMap((folder) => readdirSync(`docs/${folder}`).map((name) => `${folder}${name}`))
    .filter((name) => name.endsWith(".md") && !placed.has(name.slice(0, -3)))
    .map((name): [string, string] => {
      const [, title = name] = /^# (.+)$/m.exec(readFileSync(`docs/${name}`, "utf8")) ?? [];
      return [name.slice(0, -3), title];
    });
  const evidence = SECTIONS.length - 1;
  return others.length === 0
    ? [...SECTIONS]
    : [...SECTIONS.slice(0, evidence), { title: "More", pages: others }, ...SECTIONS.slice(evidence)];
}
