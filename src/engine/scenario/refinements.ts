import type * as z from "zod";
import { hint } from "../core/text.ts";
import type { Matcher } from "../rules/rules.ts";
import type { Language } from "./language.ts";

type Context = z.core.$RefinementCtx;

export function addMistake(context: Context, path: (string | number)[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}

const presentMembers = (value: object) => Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [name]));

interface Call {
  nth?: number | undefined;
  first?: number | undefined;
  from?: number | undefined;
  every?: number | undefined;
}

export function checkCallCount(call: Call, context: Context): void {
  const { nth, first, from } = call;
  const others = (["first", "from", "every"] as const).filter((name) => call[name] !== undefined);
  if (nth === undefined && others.length === 0) addMistake(context, [], "says nothing; give nth, first, from or every");
  if (nth !== undefined && others.length > 0) addMistake(context, ["nth"], `write nth, or ${others.join(" and ")}, but not both`);
  if (first !== undefined && from !== undefined && from > first)
    addMistake(context, ["from"], `matches no call: first ends at call ${first}, and from begins at call ${from}`);
}

/** The values that a matcher compares with. */
function comparedWith({ eq, ne, in: list }: Matcher = {}): unknown[] {
  return [eq, ne, list].flat();
}

/** An unknown status would match no subject. */
export function requireKnownStatus({ statuses }: Language) {
  return (subject: Readonly<Record<string, Matcher>>, context: Context): void => {
    for (const text of comparedWith(subject.status)) {
      if (typeof text !== "string" || statuses.includes(text)) continue;
      const full = text.includes(".") ? text : `${prefixOf(statuses)}${text}`;
      addMistake(context, ["status"], `no document has the status "${text}"${hint(full, statuses)}`);
    }
  };
}

/** The part of a status before its last word, such as `document.`. */
function prefixOf(statuses: readonly string[]): string {
  return /^[^.]*\./.exec(statuses[0] ?? "")?.[0] ?? "";
}

/** For members with a fixed list of texts. Another text would match nothing, and `never` would hold without a reason. */
export function requireOneOf(what: string, texts: readonly string[], isMeant: (text: string) => boolean = () => true) {
  return (matcher: Matcher, context: Context): void => {
    for (const text of comparedWith(matcher))
      if ((typeof text === "string" || typeof text === "number") && isMeant(String(text)) && !texts.includes(String(text)))
        addMistake(context, [], `there is no ${what} "${text}"${hint(String(text), texts)}`);
  };
}

/** Events about other rows than subjects carry statuses of other kinds. */
export function requireDeliveryStatus({ statuses }: Language) {
  const isOfSubjects = (text: string) => text.startsWith(prefixOf(statuses)) || !text.includes(".");
  return requireOneOf("document status", statuses, isOfSubjects);
}

const [STATUS_MIN, STATUS_MAX] = [100, 599];

/** No answer has another status. */
export function requireHttpStatus(matcher: Matcher, context: Context): void {
  for (const one of comparedWith(matcher)) {
    if (one === undefined || one === null) continue;
    const status = Number(one);
    if (!Number.isInteger(status) || status < STATUS_MIN || status > STATUS_MAX)
      addMistake(
        context,
        [],
        `no answer has the status ${String(one)}; a status is a number from ${STATUS_MIN} to ${STATUS_MAX}`,
      );
  }
}

export function checkActInput({ actMembers }: Language, name: string, input: object, context: Context): void {
  const takes = actMembers[name] ?? [];
  for (const member of presentMembers(input))
    if (!takes.includes(member))
      addMistake(context, ["with", member], `${name} takes ${takes.length === 0 ? "nothing" : `${takes.join(", ")} only`}`);
}

export function refuseDropWithOthers(then: object, context: Context): void {
  if (!("drop" in then) || then.drop === undefined) return;
  const others = presentMembers(then).filter((name) => !["drop", "times", "fallthrough"].includes(name));
  if (others.length > 0)
    addMistake(
      context,
      [others[0] as string],
      `docdouble does not send a dropped delivery, so you cannot combine drop with ${others.join(", ")}`,
    );
}
