/** The types of the package, in projects that use it. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Packed, packInto, project, temporary } from "../../support/package.ts";

const { folder, remove } = temporary();
let packed: Packed;

beforeAll(async () => {
  packed = await packInto(folder);
}, 240_000);
afterAll(remove);

async function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  return promisify(execFile)(program, [...args], { cwd }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => `${error.stdout}${error.stderr}`,
  );
}

const IMPORTS = `
import { createSandbox, ScenarioError, SettingsError, VerificationError } from "docdouble";
import type { FixturesFile, Handles, RuleFile, Sandbox, SandboxOptions, ScenarioFile } from "docdouble";
`;
const USE = `
const scenario: ScenarioFile = {
  version: 1,
  rules: [{ name: "busy", when: { operation: "sendDocument" }, then: { error: "throttled", times: 1 } }],
  actors: [{ name: "pat", on: "document.sent", steps: [{ after: "2h", do: "sign" }] }],
};
// @ts-expect-error a word that there is not
const wrong: RuleFile = { name: "x", then: { error: "explodes" } };
const fixtures: FixturesFile = { contacts: [{ email: "pat@client.example" }] };
const options: SandboxOptions = { seed: 7, clock: "frozen", scenario, fixtures };
await using sandbox: Sandbox = await createSandbox(options);
const handles: Handles = sandbox.tenant("test-one");
const status: string | undefined = handles.documents.get("x")?.status;
const fired: { kind: string }[] = await sandbox.clock.advance("3d");
sandbox.rules.add({ name: "slow", then: { delay: "10ms" } });
console.log(status, fired, wrong, sandbox.emails.all()[0]?.link, ScenarioError, SettingsError, VerificationError);
`;
const NODE_TEST = `
import { test } from "node:test";
import { assertDelivered, assertDocument, assertReceived, useSandbox } from "docdouble/node-test";
const sandbox = useSandbox({ port: 0 });
test("x", () => {
  assertReceived(sandbox, "sendDocument", { times: 1, body: { silent: true, $: { contains: "x" } } });
  assertDocument(sandbox, { status: "document.sent", recipients: [{ role: /Client/, has_completed: true }] });
  assertDelivered(sandbox, "document_state_changed", { state: "failed" });
  // @ts-expect-error an event that there is not
  assertDelivered(sandbox, "document_exploded");
});
`;
const matchers = (runner: string, imports: string) => `
import { expect, test } from "${imports}";
import { useSandbox } from "docdouble/${runner}";
const sandbox = useSandbox({ clock: "frozen" });
test("x", () => {
  expect(sandbox).toHaveReceived("sendDocument", { atLeast: 1 });
  expect(sandbox).not.toHaveDelivered("document_state_changed", { document_id: "x" });
  expect(sandbox).toHaveDocument({ name: expect.any(String), metadata: expect.objectContaining({ deal: "42" }) });
  expect(sandbox).toHaveMailed(expect.stringContaining("@"), { kind: "sent" });
  // @ts-expect-error an option that there is not
  expect(sandbox).toHaveDelivered("document_state_changed", { twice: true });
});
`;

function settings(more: object): string {
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023", "esnext.disposable"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    ...more,
  };
  return JSON.stringify({ compilerOptions, include: ["*.ts"] });
}
describe("a project that uses it", () => {
  const tsc = resolve("node_modules/typescript/bin/tsc");

  test.each([
    ["node16 in CommonJS", { module: "node16", moduleResolution: "node16" }, "commonjs"],
    ["bundler", { module: "esnext", moduleResolution: "bundler" }, "module"],
  ])(
    "compiles with moduleResolution %s, strictly, without skipLibCheck and without types of other packages",
    async (name, more, type) => {
      const home = join(folder, name);
      project(home, packed.tarball, ["@types/node"], {
        "package.json": JSON.stringify({ type }),
        "tsconfig.json": settings(more),
        "use.ts": type === "module" ? `${IMPORTS}${USE}` : `${IMPORTS}export async function use() {${USE}}`,
        "use.test.ts": NODE_TEST,
      });
      expect(await output(process.execPath, [tsc, "--singleThreaded", "-p", home], home)).toBe("");
    },
  );

  test("the types of scenario and fixtures files are those of the schemas", async () => {
    const home = join(folder, "file-types");
    mkdirSync(home);
    const files = ["dist/library/file-types.d.ts", "src/library/file-types.ts"].map((file) => resolve(file));
    const names = ["Public", "Inner"].map((name, i) => `import type * as ${name} from ${JSON.stringify(files[i])};`);
    writeFileSync(
      join(home, "fits.ts"),
      `${names.join("\n")}
type Fits<A, B> = [A] extends [B] ? true : false;
/** These members name words of the service, which the types of the schemas do not know. */
type WithoutWords<Rule extends { when?: object | undefined }> = Omit<Rule, "when">;
const fits: [
  Fits<Public.ScenarioFile, Inner.ScenarioFile>,
  Fits<Public.RuleFile, Inner.RuleFile>,
  Fits<WithoutWords<Inner.RuleFile>, WithoutWords<Public.RuleFile>>,
  Fits<Public.FixturesFile, Inner.FixturesFile>,
] = [true, true, true, true];
void fits;
`,
    );
    const extend = {
      extends: resolve("tsconfig.json"),
      include: ["fits.ts"],
      compilerOptions: { noEmit: true, typeRoots: [resolve("node_modules/@types")] },
    };
    writeFileSync(join(home, "tsconfig.json"), JSON.stringify(extend));
    expect(await output(process.execPath, [tsc, "--singleThreaded", "-p", home], home)).toBe("");
  });

  test.each([
    ["vitest", "vitest", ["vitest"]],
    ["jest", "@jest/globals", ["@jest/globals", "expect"]],
  ])("knows the matchers of docdouble/%s", async (runner, imports, packages) => {
    const home = join(folder, runner);
    project(home, packed.tarball, ["@types/node", ...packages], {
      "package.json": '{"type":"module"}',
      "tsconfig.json": settings({ module: "node16", moduleResolution: "node16" }),
      "use.test.ts": matchers(runner, imports),
    });
    // Only errors about docdouble and about the test count, because the runner's own types may have errors.
    const said = await output(process.execPath, [tsc, "--singleThreaded", "-p", home], home);
    expect(said.split("\n").filter((line) => /docdouble|^use\.test/.test(line.split("(")[0] ?? ""))).toEqual([]);
  });
});
