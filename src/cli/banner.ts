import { hostOf } from "../library/sandbox.ts";
import type { Sandbox } from "../library/types.ts";
import type { Target } from "./webhook-targets.ts";

export function banner(sandbox: Sandbox, targets: readonly Target[]): string {
  const { clock, scenarios } = hostOf(sandbox).defaultTenant;
  const pace = clock.speed === 1 ? clock.mode : `${clock.mode}, ${clock.speed} times as fast`;
  const loaded = [...scenarios.keys()].filter((name) => !targets.some((one) => one.scenario === name));
  const rows: [string, string][] = [
    ["try", `curl -H 'Authorization: API-Key ${sandbox.apiKey}' ${sandbox.url}/public/v1/templates`],
    ["admin", `${sandbox.url}/__admin/`],
    ["docs", `${sandbox.url}/docs/`],
    ["clock", pace],
    ["seed", sandbox.seed],
    ...loaded.map((name): [string, string] => ["scenario", name]),
    ...targets.map(({ url, sharedKey }): [string, string] => ["webhook", `${url}  shared key ${sharedKey}`]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    "",
    "  A test double for PandaDoc's public API; not affiliated with PandaDoc.",
    ...rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`),
    "",
    "",
  ].join("\n");
}
