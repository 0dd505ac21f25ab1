/** Members of bodies and names of queries in conditions that no call of the operation has. */
import { service } from "../../service/service.ts";
import { canHave } from "../../engine/scenario/answer-paths.ts";
import { memberPath } from "../../engine/scenario/json-path.ts";
import { operationsOf as idsOfNames } from "../../engine/scenario/matchers-schema.ts";
import { namesAt, type Path } from "../../engine/scenario/parse.ts";
import { type Finding, listOf, memberOf, slipOf, type Written } from "./finding.ts";

type Operation = (typeof service.operations)[number];

/** The service reads no such member. A client may still send it, so only a slip of a known name is certain. */
export function memberFindings(written: Written): Finding[] {
  const whens: [when: unknown, at: Path][] = [
    ...listOf(written, "rules").map((rule, i): [unknown, Path] => [memberOf(rule, "when"), ["rules", i, "when"]]),
    ...listOf(memberOf(written, "expect"), "requests").map((one, i): [unknown, Path] => [
      memberOf(one, "match"),
      ["expect", "requests", i, "match"],
    ]),
  ];
  return whens.flatMap(([when, at]) => {
    const among = operationsOf(when);
    return [...bodyFindings(when, at, among), ...queryFindings(when, at, among)];
  });
}

/** The operations that the condition names. None: it names none, or unknown ones. */
function operationsOf(when: unknown): readonly Operation[] {
  const operation = memberOf(when, "operation") as string | string[] | undefined;
  if (operation === undefined) return [];
  const named = idsOfNames(operation, service.language.ids());
  return service.operations.filter(({ id }) => named.includes(id));
}

function bodyFindings(when: unknown, at: Path, among: readonly Operation[]): Finding[] {
  const bodies = among.flatMap(({ body, bodyKind = "json" }) => (body && bodyKind === "json" ? [body()] : []));
  // Another kind of body has members that its schema does not tell.
  if (bodies.length === 0 || bodies.length < among.length) return [];
  return Object.keys((memberOf(when, "body") ?? {}) as object).flatMap((text) => {
    const path = memberPath(text);
    const steps = path.map((name) => name ?? "0");
    const length = steps.findIndex((_, i) => !bodies.some((one) => canHave(one, steps.slice(0, i + 1))));
    const name = path[length];
    if (name === undefined) return [];
    const names = bodies.flatMap((one) => namesAt(one, steps.slice(0, length)));
    return [unknownName([...at, "body", text], `the body of ${idsOf(among)} has no "${text}"`, name, names)];
  });
}

function queryFindings(when: unknown, at: Path, among: readonly Operation[]): Finding[] {
  if (among.length === 0) return [];
  const names = among.flatMap(({ query, route }) => [
    ...(query ? namesAt(query(), []) : []),
    ...new URLSearchParams(route.split("?")[1] ?? "").keys(),
  ]);
  return Object.keys((memberOf(when, "query") ?? {}) as object).flatMap((name) =>
    names.includes(name)
      ? []
      : [unknownName([...at, "query", name], `the query of ${idsOf(among)} has no "${name}"`, name, names)],
  );
}

function unknownName(path: Path, message: string, name: string, names: readonly string[]): Finding {
  const near = slipOf(name, names);
  const hint = near === undefined ? "; only a client that sends it fits" : `; did you mean "${near}"?`;
  return { path, isCertain: near !== undefined, message: `${message}${hint}` };
}

function idsOf(among: readonly Operation[]): string {
  const [first, second, ...others] = among.map(({ id }) => id);
  return [first, ...(second === undefined ? [] : others.length === 0 ? [second] : ["others"])].join(" and ");
}
