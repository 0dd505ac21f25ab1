/** Rules that change the operation's own answer: a JSON Patch, and a read of an earlier world. */
import { applyPatch, PatchError } from "../core/json-patch.ts";
import { durationText } from "../core/time-limits.ts";
import type { ArmedRule } from "../rules/rules.ts";
import type { Effect } from "../scenario/rule-schema.ts";
import { type Answer, bodyOf, type CallWorld, JSON_HEADERS, type OperationCall, RuleAnswer } from "./call.ts";

/** Runs `handle` in the world of the call, or in the earlier world that a rule asks for. */
export function inTime<Result>(call: OperationCall, world: CallWorld, handle: (world: CallWorld) => Result): Result {
  const isRead = call.entry.method === "GET" || call.entry.method === "HEAD";
  const rule = isRead ? call.rules.find((one) => one.effect.stale !== undefined) : undefined;
  if (!rule) return handle(world);
  const { store, clock } = call.tenant;
  const ago_ms = rule.effect.stale as number;
  const ago = durationText(ago_ms);
  call.past = rule;
  call.entry.why = `rule ${rule.name} answers as the world was ${ago} ago`;
  const past = store.asOf(clock.before(ago_ms), () => handle(pastWorld(world, ago_ms)));
  if (past) return past.result;
  call.past = undefined;
  const why = `Rule "${rule.name}" asks for the world ${ago} ago, and too much has changed since then. Ask for less.`;
  throw new RuleAnswer(misfit(call, rule, why));
}

/** A read of the past starts no work. */
function pastWorld(world: CallWorld, ago_ms: number): CallWorld {
  const { clock, journal } = world;
  const now = () => clock.before(ago_ms);
  return {
    ...world,
    clock: {
      mode: clock.mode,
      now,
      after: (ms) => Math.max(now(), clock.after(ms - ago_ms)),
      before: (ms) => clock.before(ms + ago_ms),
    },
    journal: {
      all: () => journal.all().filter(({ at }) => at <= now()),
      get current() {
        return journal.current;
      },
      get total() {
        return journal.total;
      },
    } as CallWorld["journal"],
    jobs: { schedule: () => "", cancel: () => {}, cancelWhere: () => {} } as CallWorld["jobs"],
    emitHappening: () => {},
  };
}

/** Applies the patches of the rules. A refusal of the operation stays as it is. */
export function patched(call: OperationCall, own: Answer): Answer {
  let answer = own;
  if (answer.status >= 300) return answer;
  for (const rule of call.rules) {
    const { patch } = rule.effect;
    if (!patch) continue;
    call.acted.add(rule);
    call.entry.injected = true;
    const steps = patch.map(({ op, path }) => `${op} ${path || "the whole answer"}`).join(", ");
    try {
      answer = { ...answer, headers: { ...answer.headers }, body: JSON.stringify(applyPatch(bodyOf(answer), patch)) };
      call.entry.why ??= `rule ${rule.name} changed the answer: ${steps}`;
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      const operation = call.target.operation.id;
      const why = `The patch of rule "${rule.name}" does not fit the answer of ${operation}: ${error.message}.`;
      return misfit(call, rule, why);
    }
  }
  return answer;
}

/** A rule that cannot act as it says. This is a mistake of the rule, and no answer of the service. */
function misfit(call: OperationCall, rule: ArmedRule<Effect>, detail: string): Answer {
  call.entry.rule = rule.name;
  call.entry.injected = true;
  call.entry.why = detail;
  call.acted.add(rule);
  return { status: 500, headers: { ...JSON_HEADERS }, body: JSON.stringify({ type: "docdouble_error", detail }) };
}
