/** Variables that make the sleeps of a command move docdouble's clock: for Node, Python and Ruby. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "../../library/types.ts";
import { SITECUSTOMIZE } from "./python.ts";
import { RUBY_SLEEP } from "./ruby.ts";

export const SLEEPS = ["virtual", "real"] as const;
export type Sleeps = (typeof SLEEPS)[number];

export interface Preloads {
  /** @param env variables of the command that are known already */
  envFor(sandbox: Pick<Sandbox, "apiKey" | "url">, env?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  remove(): void;
}

/** Writes the files that Python and Ruby load. */
export function makePreloads(): Preloads {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-sleep-"));
  writeFileSync(join(folder, "sitecustomize.py"), SITECUSTOMIZE);
  const ruby = join(folder, "docdouble_sleep.rb");
  writeFileSync(ruby, RUBY_SLEEP);
  const node = fileURLToPath(new URL("./sleep-child.cjs", import.meta.url));
  return {
    envFor({ url, apiKey }, env = {}) {
      const given = (name: string) => env[name] ?? process.env[name];
      const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" ");
      return {
        DOCDOUBLE_SLEEP: `${new URL(url).origin} ${apiKey}`,
        NODE_OPTIONS: joined(given("NODE_OPTIONS"), `--require "${node.replace(/["\\]/g, "\\$&")}"`),
        PYTHONPATH: [folder, given("PYTHONPATH")].filter(Boolean).join(delimiter),
        // RUBYOPT takes no path with a space.
        ...(/\s/.test(ruby) ? {} : { RUBYOPT: joined(given("RUBYOPT"), `-r${ruby}`) }),
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
