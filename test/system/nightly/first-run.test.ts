/** Runs the first commands of README.md and docs/guides/install.md like a new user: in a new clone, then in an empty project. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environment, runIn, type Server, serve } from "../../../docs/programs.ts";
import { blocksOf, README_URL, type Snippet } from "../../../docs/snippets.ts";
import { cloneTo, temporary } from "../../support/package.ts";
import { PROGRAM_MS } from "../../support/patience.ts";

const INSTALL = "docs/guides/install.md";
const { slow } = blocksOf(readFileSync(INSTALL, "utf8"));
const { folder, remove } = temporary();
const homes = { clone: join(folder, "clone"), project: join(folder, "project") };

beforeAll(() => {
  cloneTo(homes.clone);
  mkdirSync(homes.project);
  writeFileSync(join(homes.project, "package.json"), '{"private": true}\n');
});
afterAll(remove);

/** The first two commands of README.md: one starts a server, the other creates a document. */
const readme = blocksOf(readFileSync("README.md", "utf8")).slow;
test("README.md begins with the first command of the guide, and a call that creates a document", () => {
  expect([readme[0]?.place, readme[0]?.code]).toEqual(["clone", slow[0]?.code]);
  expect(readme.map(({ language, serves }) => [language, serves])).toEqual([
    ["sh", true],
    ["sh", false],
  ]);
});

describe(INSTALL, () => {
  test("has the first commands for a clone and for a project in this order", () => {
    const words = slow.map(({ place, serves }) => [place, ...(serves ? ["serves"] : [])].join(" "));
    expect(words).toEqual(["clone serves", "clone", "project", "project serves"]);
  });

  // In order, because the project installs the package that the clone packs.
  for (const snippet of slow) test(`line ${snippet.line}: ${snippet.code.trim()}`, () => holds(snippet));
});

async function holds(snippet: Snippet): Promise<void> {
  const home = snippet.place === "clone" ? homes.clone : homes.project;
  // Each page's /tmp is a folder of this test. npm keeps its download cache.
  const code = snippet.code.replaceAll("/tmp", folder);
  const env = environment({ npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_fund: "false" });
  if (!snippet.serves) await runIn(home, snippet.language, code, env, PROGRAM_MS);
  else await answers(await serve(code, home, env, PROGRAM_MS));
}

/** The created document becomes a draft. */
async function answers(server: Server): Promise<void> {
  const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as { id: string } };
  };
  try {
    const created = await runIn(homes.clone, "sh", readme[1]?.code.replaceAll(README_URL, server.url) ?? "", environment({}));
    expect(created).toContain('"status":"document.uploaded"');
    const recipients = [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }];
    const made = await post("/public/v1/documents", { name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients });
    expect(made.status).toBe(201);
    await post("/__admin/clock/advance", { by: "1m" });
    const read = await fetch(`${server.url}/public/v1/documents/${made.body.id}`, { headers });
    expect([read.status, ((await read.json()) as { status: string }).status]).toEqual([200, "document.draft"]);
  } finally {
    await server.stop();
  }
}

test("the installed package is the clone's own build", () => {
  const lock = JSON.parse(readFileSync(join(homes.project, "node_modules/.package-lock.json"), "utf8"));
  expect(Object.keys(lock.packages)).toEqual(["node_modules/docdouble"]);
  // `toEqual` would compare two megabytes one by one.
  for (const file of ["dist/main.cjs", "dist/library.cjs"])
    expect(readFileSync(join(homes.project, "node_modules/docdouble", file)).equals(readFileSync(join(homes.clone, file)))).toBe(
      true,
    );
});
