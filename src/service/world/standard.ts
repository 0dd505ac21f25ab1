/** Fixtures of worlds that nobody described, or not in full. */
import { readFileSync } from "node:fs";
import { inPackage } from "../../engine/core/package-root.ts";
import { DEFAULT_KEY, DEFAULT_SANDBOX_KEY } from "../kit/names.ts";
import type { Fixtures } from "./inputs.ts";

/** Adds what a world cannot be without. Without a value, the built-in workspace. */
export function standardFixtures(given: Fixtures | undefined): Fixtures {
  return given === undefined ? builtInFixtures() : withDefaults(given);
}

function withDefaults(fixtures: Fixtures): Fixtures {
  const { workspaces = [], members = [], api_keys = [] } = fixtures;
  const somebody: NonNullable<Fixtures["members"]>[number] = {
    email: "admin@docdouble.example",
    first_name: "Ada",
    last_name: "Min",
    role: "Admin",
  };
  const all = members.length > 0 ? members : [somebody];
  const member = all[0]?.id ?? all[0]?.email ?? "";
  return {
    ...fixtures,
    workspaces: workspaces.length > 0 ? workspaces : [{ name: "Workspace" }],
    members: all,
    api_keys:
      api_keys.length > 0
        ? api_keys
        : [
            { key: DEFAULT_KEY, member },
            { key: DEFAULT_SANDBOX_KEY, member, kind: "sandbox" },
          ],
  };
}

let builtIn: Fixtures | undefined;

function builtInFixtures(): Fixtures {
  builtIn ??= JSON.parse(readFileSync(inPackage("fixtures/default.json"), "utf8")) as Fixtures;
  return builtIn;
}

/** The fixtures of the tenant that this key selects. */
export function withKey(fixtures: Fixtures, id: string): Fixtures {
  return { ...fixtures, api_keys: [...(fixtures.api_keys ?? []), { key: id, member: fixtures.api_keys?.[0]?.member ?? "" }] };
}

/** The key that a sandbox gives its user. */
export function keyOf({ api_keys }: Fixtures): string {
  return api_keys?.find((one) => one.kind !== "sandbox")?.key ?? api_keys?.[0]?.key ?? DEFAULT_KEY;
}
