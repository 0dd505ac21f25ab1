/** One app for each service and its surfaces. Each request selects its tenant. */
import { type Context, Hono } from "hono";
import { ApiError, notFound, notServed } from "../core/errors.ts";
import { compareText, nearest } from "../core/text.ts";
import { getOrMake } from "../core/maps.ts";
import { parseRoute } from "../core/operation.ts";
import type { Surfaces } from "../runtime/tenants/tenant-registry.ts";
import type { Service } from "../runtime/service.ts";
import { type TenantRegistry, tenantOf, tenantWith } from "../runtime/tenants/tenant-registry.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { FORM_BYTES_MAX, readBytes } from "./bodies.ts";
import { answerPreflight } from "./cors.ts";
import { authorizationOf, hostOf, isPageLoad } from "./hono-context.ts";
import { refuseAdmin, runAdmin } from "./admin.ts";
import { askedOf } from "./journal-entry.ts";
import { KeptRoutes } from "./kept-routes.ts";
import { runCall, toTarget } from "./pipeline.ts";
import { runOptions, runUnmatched } from "./unmatched.ts";

/** Begins the part of an internal path that names one of several operations at the same path. */
const MARK = "/~";

interface RouteEntry {
  method: string;
  path: string;
  run: (context: Context) => Response | Promise<Response>;
  /** Whether a caller without credentials may use the path. */
  isOpen?: boolean;
}

const built = new WeakMap<Surfaces, Hono>();

export function appOf({ service, surfaces }: Pick<TenantRegistry, "service" | "surfaces">): Hono {
  return getOrMake(built, surfaces, () => buildApp(service, surfaces));
}

/** Each operation of `unserved` answers 501. */
export function buildApp(service: Service, surfaces: Surfaces, unserved = service.unserved): Hono {
  const paths = new Paths(service);
  const app = new Hono({ getPath: (request) => paths.of(request), router: new KeptRoutes() });
  const tenant = (context: Context) => tenantOf(hostOf(context), authorizationOf(context));
  const { grant } = service.access;
  const { dialectAt } = service.errors;
  const served: RouteEntry[] = service.operations.map((operation) => {
    const target = toTarget(operation, service);
    const isOpen = operation.security === "none";
    if (operation.id === grant.operation)
      return {
        ...entry(operation.route, async (context) => {
          const host = hostOf(context);
          const body = await readForm(context.req.raw);
          return runCall(context, target, host, tenantOfGrant(host, authorizationOf(context), body), body);
        }),
        isOpen,
      };
    return {
      ...entry(operation.route, (context) => {
        const owner = tenant(context);
        const run = () => runCall(context, target, hostOf(context), owner);
        const moving = owner.clock.mode === "auto" ? owner.auto.arrives(askedOf(context)) : undefined;
        return moving ? moving.then(run) : run();
      }),
      isOpen,
    };
  });
  const missing: RouteEntry[] = unserved.map(({ id, route }) =>
    entry(route, (context) =>
      runUnmatched(context, hostOf(context), tenant(context), notServed(id), dialectAt(parseRoute(route).path), { id }),
    ),
  );
  const admin: RouteEntry[] = surfaces.verbs.map((operation) =>
    entry(operation.route, (context) => runAdmin(context, operation, hostOf(context))),
  );
  const routes = inOrder([
    ...served,
    ...missing,
    ...admin,
    ...surfaces.pages.map((page) => ({ ...(page as RouteEntry), isOpen: true })),
  ]);
  const unknown = (context: Context) => answerUnknown(context, routes, paths);
  for (const { method, path, run } of routes) app.on(method, path, run);
  for (const prefix of service.prefixes)
    app.on("OPTIONS", `${prefix}/*`, (context) => answerPreflight(context) ?? unknown(context));
  app.notFound(unknown);
  app.onError((error) => {
    // Only a network fault without a socket throws here. It must reach the caller of fetch.
    throw error;
  });
  return app;
}

/** A token request may have no key. The code or refresh token in its form then selects the tenant. */
function tenantOfGrant(host: TenantRegistry, header: string | undefined, body: Uint8Array | Error): Tenant {
  const main = tenantOf(host, header);
  const { grant } = host.service.access;
  if (header !== undefined || body instanceof Error) return main;
  const form = new URLSearchParams(Buffer.from(body).toString());
  for (const [collection, key] of grant.keys(form)) {
    const found = tenantWith(host, collection, key);
    if (found) return found;
  }
  return main;
}

async function readForm(request: Request): Promise<Uint8Array | ApiError> {
  try {
    return await readBytes(request, FORM_BYTES_MAX);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function entry(route: string, run: RouteEntry["run"]): RouteEntry {
  const { method, path, variant } = parseRoute(route);
  return { method, path: path.replace(/\{(\w+)\}/g, ":$1") + (variant ? MARK + variant : ""), run };
}

/** Literal segments come before parameters, so that `new` in `/things/new` is not the id of a thing. */
function inOrder(routes: readonly RouteEntry[]): RouteEntry[] {
  const shaped = routes.map((route) => ({ route, shape: shapeOf(route.path) }));
  return shaped.sort((a, b) => compareText(a.shape, b.shape)).map(({ route }) => route);
}

function shapeOf(path: string): string {
  return path
    .split("/")
    .map((part) => (part.startsWith(":") ? "1" : "0"))
    .join("");
}

/** An operation whose path another one has too. The query `?name` or a multipart body selects it. */
interface Variant {
  method: string;
  name: string;
  pattern: RegExp;
  isMultipart: boolean;
}

/** The paths of a service, and which of them a request means. */
class Paths {
  readonly known: readonly string[];
  readonly prefixes: readonly string[];
  readonly #variants: readonly Variant[];

  constructor({ operations, unserved, prefixes }: Service) {
    this.known = [...new Set([...operations, ...unserved].map(({ route }) => parseRoute(route).path))];
    this.prefixes = prefixes;
    this.#variants = operations.flatMap(({ route, bodyKind }) => {
      const { method, path, variant: name } = parseRoute(route);
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
      return name === undefined ? [] : [{ method, name, pattern, isMultipart: bodyKind === "multipart" }];
    });
  }

  isOfService(path: string): boolean {
    return this.prefixes.some((prefix) => path.startsWith(`${prefix}/`));
  }

  /** Removes doubled and trailing slashes, and adds the variant that the query or a multipart body selects. assumed: http.slashes. */
  of(request: Request): string {
    const { url } = request;
    const start = url.indexOf("/", url.indexOf("://") + 3);
    const queryAt = url.indexOf("?", start);
    const hashAt = url.indexOf("#", start);
    const end = queryAt >= 0 ? queryAt : hashAt >= 0 ? hashAt : url.length;
    let path = start < 0 ? "/" : withoutDoubledSlashes(url.slice(start, end));
    if (path.length > 1 && path.endsWith("/")) path = path.slice(0, -1);
    if (path.includes(MARK)) return "/~";
    if (request.method === "GET" || this.#variants.length === 0 || !this.isOfService(path)) return path;
    const marker = queryAt >= 0 ? new URLSearchParams(url.slice(queryAt + 1)) : undefined;
    const isMultipart = request.headers.get("content-type")?.toLowerCase().startsWith("multipart/") ?? false;
    if (marker === undefined && !isMultipart) return path;
    const here = this.#variants.filter(({ method, pattern }) => method === request.method && pattern.test(path));
    // Real clients also send multipart bodies without the marker.
    const chosen = here.find(({ name }) => marker?.has(name)) ?? here.find((one) => isMultipart && one.isMultipart);
    return chosen ? path + MARK + chosen.name : path;
  }
}

function withoutDoubledSlashes(path: string): string {
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
}

function answerUnknown(context: Context, routes: readonly RouteEntry[], paths: Paths): Response | Promise<Response> {
  const host = hostOf(context);
  const { service, surfaces } = host;
  const path = paths.of(context.req.raw);
  const isLookedAt = context.req.header("accept")?.includes("text/html") ?? false;
  if (path === "/" && context.req.method === "GET" && (isLookedAt || isCurious(context)))
    return surfaces.landing(host, isLookedAt);
  const tenant = tenantOf(host, authorizationOf(context));
  const here = routes.filter((route) => matchesPath(route.path, path));
  const allowed = [...new Set(here.map((route) => route.method))];
  const { pathname } = new URL(context.req.url);
  const dialect = service.errors.dialectAt(pathname);
  const isService = paths.isOfService(path);
  if (context.req.method === "OPTIONS" && isService && allowed.length > 0)
    return runOptions(context, host, tenant, dialect, allowed);
  const error =
    allowed.length > 0
      ? new ApiError("method_not_allowed", `Method "${context.req.method}" not allowed.`, {
          headers: { allow: allowed.join(", ") },
          why: `${pathname} supports ${allowed.join(", ")}`,
        })
      : notFound(pathname.startsWith("/__admin") ? noAdminPath(pathname, routes) : noServicePath(pathname, paths));
  if (pathname.startsWith("/__admin") || pathname === "/health")
    return isPageLoad(context.req) ? surfaces.refusal(host, error) : refuseAdmin(error, host);
  // The service checks credentials before the method, and a path before both. assumed: http.check_order.
  const isGuarded = here.some((route) => !route.isOpen);
  const refused = runUnmatched(context, host, tenant, error, dialect, { isGuarded });
  // The journal records the call. At a path of the service, a browser shows what a client receives.
  return isPageLoad(context.req) && !isService ? refused.then(() => surfaces.refusal(host, error)) : refused;
}

/** Neither a client of the service, which sends a key, nor one that wants JSON. curl and checks of readiness look like this. */
function isCurious(context: Context): boolean {
  const accept = context.req.header("accept") ?? "*/*";
  return authorizationOf(context) === undefined && (accept === "*/*" || accept.startsWith("text/plain"));
}

const SLIP_MAX = 3;
/** The time of a comparison grows with the length, so longer paths get no suggestion. */
const COMPARED_MAX = 200;

function noServicePath(pathname: string, paths: Paths): string {
  const near = pathname.length > COMPARED_MAX ? undefined : nearestPath(pathname, paths);
  return `the service has no path ${pathname}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/** Edit distance by segment. A value in place of a parameter counts as equal. */
function nearestPath(pathname: string, { known, prefixes }: Paths): string | undefined {
  const segments = pathname.replace(/\/+$/, "").split("/");
  const shaped = new Map<string, string>();
  for (const path of known) {
    const wanted = path.split("/");
    const filled = wanted.map((part, i) =>
      part.startsWith("{") && wanted.length === segments.length ? (segments[i] ?? part) : part,
    );
    if (!shaped.has(filled.join("/"))) shaped.set(filled.join("/"), path);
  }
  const prefixed = prefixes.map((prefix) => prefix + segments.join("/"));
  const near = nearest(segments.join("/"), shaped.keys(), SLIP_MAX) ?? prefixed.find((path) => known.includes(path));
  return near === undefined ? undefined : (shaped.get(near) ?? near);
}

function noAdminPath(pathname: string, routes: readonly RouteEntry[]): string {
  const all = routes.map((route) => route.path).filter((path) => path.startsWith("/__admin/"));
  const near = nearest(pathname, all);
  return `the admin API has no path ${pathname}${near === undefined ? "." : `; did you mean ${near}?`} GET /__admin/openapi.json lists all paths`;
}

function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const segments = path.split("/");
  return (
    wanted.length === segments.length &&
    wanted.every((part, i) => (part.startsWith(":") ? segments[i] !== "" : part === segments[i]))
  );
}
