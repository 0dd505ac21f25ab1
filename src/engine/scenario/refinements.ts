import type * as z from "zod";
import { STATUSES } from "../../service/model/documents/status-machine.ts";
import { ACT_INPUT, type Act } from "../../service/domain/signing/act-table.ts";
import { hint } from "../core/text.ts";

type Context = z.core.$RefinementCtx;

function addMistake(context: Context, path: (string | number)[], message: string): void {
  context.addIssue({ code: "custom", path, message });
}

const presentMembers = (value: object) => Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [name]));

interface Call {
  nth?: number;
  first?: number;
  from?: number;
  every?: number;
}

export function checkCallCount(call: Call, context: Context): void {
  const { nth, first, from } = call;
  const others = (["first", "from", "every"] as const).filter((name) => call[name] !== undefined);
  if (nth === undefined && others.length === 0) addMistake(context, [], "says nothing; give nth, first, from or every");
  if (nth !== undefined && others.length > 0) addMistake(context, ["nth"], `write nth, or ${others.join(" and ")}, but not both`);
  if (first !== undefined && from !== undefined && from > first)
    addMistake(context, ["from"], `matches no call: first ends at call ${first}, and from begins at call ${from}`);
}

interface Counts {
  times?: number;
  at_least?: number;
  at_most?: number;
  never?: true;
}

export function checkCounts(counts: Counts, context: Context): void {
  const used = (["never", "times", "at_least", "at_most"] as const).filter((name) => counts[name] !== undefined);
  const [first, second] = used;
  if ((first === "never" || first === "times") && second !== undefined)
    addMistake(context, [second], `write only one of ${used.join(" and ")}`);
  const { at_least, at_most } = counts;
  if (at_least !== undefined && at_most !== undefined && at_most < at_least)
    addMistake(context, ["at_most"], "at_most is less than at_least");
}

/** An unknown status would match no document. */
export function requireKnownStatus(document: Readonly<Record<string, unknown>>, context: Context): void {
  const { status } = document;
  const texts =
    typeof status === "object" && status !== null ? [Object(status).eq, Object(status).ne, Object(status).in].flat() : [status];
  for (const text of texts) {
    if (typeof text !== "string" || (STATUSES as readonly string[]).includes(text)) continue;
    const full = text.includes(".") ? text : `document.${text}`;
    addMistake(context, ["status"], `no document has the status "${text}"${hint(full, STATUSES)}`);
  }
}

export function checkActInput(name: Act, input: object, context: Context): void {
  const takes: readonly string[] = ACT_INPUT[name];
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
