/** Paths in conditions that no call has. */
import { pages, service } from "../../service/service.ts";
import { parseRoute } from "../../engine/core/operation.ts";
import { nearest } from "../../engine/core/text.ts";
import { matchesAttribute, type Matcher } from "../../engine/rules/rules.ts";
import { operationsOf } from "../../engine/scenario/matchers-schema.ts";
import type { Path } from "../../engine/scenario/parse.ts";
import { type Finding, listOf, memberOf, type Written, wantedTexts } from "./finding.ts";
import { canFit } from "./path-pattern.ts";

interface Route {
  id: string | undefined;
  method: string;
  path: string;
}

let ofOperations: readonly Route[] | undefined;

/** Computed on first use, because commands that read no file start without the library. */
function served(): readonly Route[] {
  ofOperations ??= service.operations.map(({ id, route }) => ({ id, ...parseRoute(route) }));
  return ofOperations;
}

/** A rule acts on calls of served operations and on pages. The journal of expectations also holds other calls. */
export function pathFindings(written: Written): Finding[] {
  const rules = listOf(written, "rules").flatMap((rule, i) =>
    findingsOf(memberOf(rule, "when"), ["rules", i, "when"], withPages(), true),
  );
  const expectations = listOf(memberOf(written, "expect"), "requests").flatMap((one, i) =>
    findingsOf(memberOf(one, "match"), ["expect", "requests", i, "match"], [...unserved(), ...withPages()], false),
  );
  return [...rules, ...expectations];
}

function withPages(): readonly Route[] {
  return [...served(), ...pages().map(({ method, path }) => ({ id: undefined, method, path: path.replace(/:(\w+)/g, "{$1}") }))];
}

function unserved(): readonly Route[] {
  return service.unserved.map(({ id, route }) => ({ id, ...parseRoute(route) }));
}

const SLIP_MAX = 3;
const PREFIX = "/public/v1";

function findingsOf(when: unknown, at: Path, routes: readonly Route[], isRule: boolean): Finding[] {
  const operation = memberOf(when, "operation") as string | string[] | undefined;
  const named = operation && operationsOf(operation, service.language.ids());
  const candidates = routes.filter(({ id }) => !named || (id !== undefined && named.includes(id)));
  return wantedTexts(memberOf(when, "path")).flatMap(([inner, text]) => {
    const fits = (path: string, among: readonly Route[] = candidates) => among.some((route) => canFit(path, route.path));
    if (fits(text)) return [];
    const path = [...at, "path", ...inner];
    const longer = `${PREFIX}${text}`;
    if (text.startsWith("/") && fits(longer))
      return [{ path, isCertain: true, message: `no operation has the path "${text}"; did you mean "${longer}"?` }];
    if (named && fits(text, routes)) {
      const paths = [...new Set(candidates.map((route) => route.path))].slice(0, 3).join(", ");
      return [{ path, isCertain: true, message: `the operation has the path ${paths}, so "${text}" never fits` }];
    }
    const near = nearest(text, new Set(routes.map((route) => route.path.replace(/\{\w+\}/g, "*"))), SLIP_MAX);
    const message = `no operation and no page has the path "${text}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
    return [{ path, isCertain: isRule || named !== undefined, message }];
  });
}

const GLOB = /^\^(?:\[\^\/\]\+|\.\*|\\[\\^$.*+?()[\]{}|]|[^\\^$.*+?()[\]{}|])*\/\?\$$/;
const ANY_SEGMENT = "\u0001";

/** Each call of the operations in `narrow` has a path and a method that `matcher` accepts. */
export function followsFromOperation(attribute: string, matcher: Matcher, narrow: Readonly<Record<string, Matcher>>): boolean {
  const ids = narrow.operation?.in;
  if (!ids || ids.length === 0) return false;
  const routes = served().filter(({ id }) => ids.includes(id));
  if (attribute === "method")
    // A client may also read with HEAD.
    return routes.every(({ method }) =>
      (method === "GET" ? ["GET", "HEAD"] : [method]).every((one) => matchesAttribute(one, matcher)),
    );
  const isGlob = attribute === "path" && Object.keys(matcher).join() === "regex" && GLOB.test(matcher.regex ?? "");
  // The sign is in no literal part of a glob, so what accepts it accepts each value of the parameter.
  return (
    isGlob &&
    routes.every(({ path }) =>
      matchesAttribute(
        path.replace(/\{\w+\}/g, () => ANY_SEGMENT),
        matcher,
      ),
    )
  );
}
