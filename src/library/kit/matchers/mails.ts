import type { Email, Handles } from "../../types.ts";
import { droppedIn } from "../tenant-of.ts";
import { misses, testOf } from "./compare.ts";
import { type Kind, requireConditions, requireWord, verdictOf } from "./verdict.ts";
import { requireSandbox } from "./subject.ts";
import type { Mailed, Times, Verdict, Wanted } from "./types.ts";
import { words } from "../../../service/words.ts";

const CONDITIONS: Readonly<Record<Exclude<keyof Mailed, keyof Times>, Kind>> = {
  subject: "a text",
  text: "a text",
  kind: "a text",
  channel: "a text",
  document_id: "a text",
  to_name: "a text",
  link: "a text or null",
};
const MEMBERS = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];

export function mailed(sandbox: Handles, to: Wanted<string>, expected: Mailed = {}): Verdict {
  requireSandbox(sandbox);
  if (typeof to !== "string" && !testOf(to)) throw new TypeError(`the first argument is an address such as "pat@client.example"`);
  requireConditions(expected, CONDITIONS);
  requireWord(expected.channel, ["email", "sms"], "channel");
  requireWord(expected.kind, words.mailKinds, "kind of mail");
  const { times, atLeast, atMost } = expected;
  return verdictOf<Email>({
    limits: { times, atLeast, atMost },
    noun: ["mail", "mails"],
    wanted: typeof to === "string" ? `to ${to}` : "that fit",
    candidates: sandbox.emails.all(),
    misses: (mail) => [
      ...misses("to", typeof to === "string" ? sameAddress(to) : to, mail.to),
      ...MEMBERS.flatMap((name) => (expected[name] === undefined ? [] : misses(name, expected[name], mail[name]))),
    ],
    describe: ({ to: address, kind, subject }) => `${kind} to ${address}: ${JSON.stringify(subject)}`,
    none: "the sandbox sent no mails",
    dropped: droppedIn(sandbox, "emails"),
  });
}

/** The service ignores the case of an address. */
function sameAddress(to: string): unknown {
  return {
    asymmetricMatch: (actual: unknown) => String(actual).toLowerCase() === to.toLowerCase(),
    toAsymmetricMatcher: () => JSON.stringify(to),
  };
}
