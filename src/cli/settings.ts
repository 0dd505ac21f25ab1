/** The flags that several commands share, and those that have a variable. */
import { CLOCK_MODES } from "../engine/core/time-limits.ts";
import { PROFILES } from "../engine/assumptions/profile-names.ts";
import type { Flag } from "./command-record.ts";
import { LOG_FORMATS } from "./console.ts";
import { collect, port, variable, wholeNumber } from "./options.ts";
import { ownVariable } from "./own-variables.ts";

export const DEFAULT_URL = ownVariable("DOCDOUBLE_URL") ?? "http://127.0.0.1:4010";

export const SETTINGS = {
  fixtures: { flag: "--fixtures <file>", is: "fixtures file, replaces the built-in workspace" },
  seed: { flag: "--seed <text>", is: "makes ids and jitter repeatable; default random" },
  clock: { flag: "--clock <mode>", is: "clock: ", choices: CLOCK_MODES },
  assume: { flag: "--assume <reading>", is: "ID=VALUE, a profile, or a file of them; repeatable", read: collect },
  profile: { flag: "--profile <name>", is: "readings: ", choices: PROFILES },
  journalMax: { flag: "--journal-max <calls>", is: "keep this many calls (10000)", read: wholeNumber },
  log: { flag: "--log <format>", is: "format: ", choices: LOG_FORMATS },
  key: { flag: "--key <key>", is: "API key that selects the tenant" },
  adminToken: { flag: "--admin-token <token>", is: "token of the admin API", env: "DOCDOUBLE_ADMIN_TOKEN" },
  proxyPort: { flag: "--port <number>", is: "port of the proxy; default a free one", read: port },
  intercept: { flag: "--intercept", is: "send the command's calls to api.pandadoc.com to the server" },
  sleep: {
    flag: "--sleep <kind>",
    is: "sleeps of the command; virtual with an automatic clock: ",
    choices: ["virtual", "real"],
  },
  env: { flag: "--env <name=text>", is: "set a variable of the command; {url}, {key}, {admin}", read: variable },
  real: { flag: "--real <url>", is: "the real service, such as https://api.pandadoc.com", env: "DOCDOUBLE_REAL_URL" },
  reports: { flag: "--report <file>", is: "write a report: .json, .md or .xml; repeatable", read: collect },
} as const satisfies Record<string, Flag>;

export const json = (is: string): Flag => ({ flag: "--json", is });

/** A setting of the server has a variable of the same name. */
export function ofServer(setting: Flag): Flag {
  const [, name = ""] = /^--([a-z-]+)/.exec(setting.flag) ?? [];
  return { ...setting, env: `DOCDOUBLE_${name.toUpperCase().replaceAll("-", "_")}` };
}
