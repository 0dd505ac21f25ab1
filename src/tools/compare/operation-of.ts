import { service } from "../../service/service.ts";
import { parseRoute } from "../../engine/core/operation.ts";
import { type CallRequest, mediaType } from "./exchange.ts";
import { groupBy } from "../../engine/core/maps.ts";

export interface KnownOperation {
  readonly id: string;
  /** Undefined for an unknown path. */
  readonly path: string | undefined;
}

interface Route {
  readonly id: string;
  readonly path: string;
  readonly segments: readonly string[];
  readonly variant: string | undefined;
}

let byShape: Map<string, Route[]> | undefined;

function routes(): Map<string, Route[]> {
  if (byShape) return byShape;
  const all = [...service.operations, ...service.unserved].map(({ id, route }) => {
    const { path, ...rest } = parseRoute(route);
    return { id, path, segments: path.split("/"), ...rest };
  });
  byShape = groupBy(all, ({ method, segments }) => `${method} ${segments.length}`);
  for (const list of byShape.values()) list.sort((a, b) => parametersOf(a) - parametersOf(b));
  return byShape;
}

function parametersOf({ segments }: Route): number {
  return segments.filter((one) => one.startsWith("{")).length;
}

export function operationOf(request: Pick<CallRequest, "method" | "target" | "headers">): KnownOperation {
  const { method, target, headers } = request;
  const [path = "", query = ""] = target.split("?", 2);
  const segments = path
    .replace(/\/{2,}/g, "/")
    .replace(/(.)\/$/, "$1")
    .split("/");
  const found = (routes().get(`${method} ${segments.length}`) ?? []).filter((route) =>
    route.segments.every((part, i) => (part.startsWith("{") ? segments[i] !== "" : part === segments[i])),
  );
  const [first] = found;
  if (!first) return { id: `${method} ${path}`, path: undefined };
  const alike = found.filter((one) => one.path === first.path);
  const marker = new URLSearchParams(query);
  const chosen =
    alike.find((one) => one.variant !== undefined && marker.has(one.variant)) ??
    (mediaType(headers).startsWith("multipart/") ? alike.find((one) => one.variant === "upload") : undefined) ??
    alike.find((one) => one.variant === undefined) ??
    first;
  return { id: chosen.id, path: chosen.path };
}
