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
      ["commands", "Commands"],
      ["library", "Library"],
      ["inspector", "Inspector and signing page"],
      ["world", "The built-in world"],
      ["fixtures", "Members of fixtures files"],
      ["admin-api", "Admin API"],
      ["environment", "Environment variables"],
      ["lint", "Client lint"],
      ["limits", "Limits"],
      ["security", "Security"],
    ],
  },
  {
    title: "How it works",
    pages: [
      ["architecture", "Architecture"],
      ["another-service", "Double another service"],
    ],
  },
  {
    title: "Evidence",
    isFolded: true,
    pages: [
      ["assumptions", "Assumptions"],
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
