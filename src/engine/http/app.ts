/** A process has one app. Each request selects its tenant. */
import { type Context, Hono } from "hono";
import { ApiError, notFound, notServed } from "../core/errors.ts";
import { compareText, nearest } from "../core/text.ts";
import { dialectOf, parseRoute } from "../core/operation.ts";
import { operations } from "../../service/api/index.ts";
import { tenantOf, tenantOfGrant } from "../runtime/tenants/tenant-registry.ts";
import { FORM_BYTES_MAX, readBytes } from "./bodies.ts";
import { answerPreflight } from "./cors.ts";
import { authorizationOf, hostOf } from "./env.ts";
import { adminOperations } from "../verbs/operations.ts";
import { refuseAdmin, runAdmin } from "./admin.ts";
import { askedOf } from "./journal-entry.ts";
import { pageRoutes } from "../../service/pages/pages.ts";
import { sendDocumentation } from "../../inspector/documentation.ts";
import { ShapeRouter } from "./shape-router.ts";
import { describe, isPageLoad, sendLanding, sendReference, sendRefusal, sendUnbuiltDocs } from "../../inspector/pages-route.ts";
import { runCall, runOptions, runUnmatched, toTarget } from "./pipeline.ts";
import { UNSERVED, type UnservedOperation } from "../../service/api/unserved.ts";

/** Query markers that select another operation at the same path, and the internal path of each. */
const VARIANTS = ["upload", "upload-markdown"] as const;
const MARK = "/~";

interface RouteEntry {
  method: string;
  path: string;
  run: (context: Context) => Response | Promise<Response>;
}

let built: Hono | undefined;

export function sharedApp(): Hono {
  built ??= buildApp(UNSERVED);
  return built;
}

/** Each operation of `unservedOperations` answers 501. */
export function buildApp(unservedOperations: readonly UnservedOperation[]): Hono {
  // Some paths differ only in parameter names, which Hono's faster routers refuse.
  const app = new Hono({ getPath: pathOf, router: new ShapeRouter() });
  const tenant = (context: Context) => tenantOf(hostOf(context), authorizationOf(context));
  const service: RouteEntry[] = operations.map((operation) => {
    const target = toTarget(operation);
    if (operation.id === "accessToken")
      return entry(operation.route, async (context) => {
        const host = hostOf(context);
        const body = await readForm(context.req.raw);
        return runCall(context, target, host, tenantOfGrant(host, authorizationOf(context), body), body);
      });
    return entry(operation.route, (context) => {
      const owner = tenant(context);
      const run = () => runCall(context, target, hostOf(context), owner);
      const moving = owner.clock.mode === "auto" ? owner.auto.arrives(askedOf(context)) : undefined;
      return moving ? moving.then(run) : run();
    });
  });
  const unserved: RouteEntry[] = unservedOperations.map(({ id, route }) =>
    entry(route, (context) => runUnmatched(context, hostOf(context), tenant(context), notServed(id), dialectOf({ route }), id)),
  );
  const admin: RouteEntry[] = adminOperations.map((operation) =>
    entry(operation.route, (context) => runAdmin(context, operation, hostOf(context))),
  );
  const description = entry("GET /openapi.json", async (context) => {
    const { defaultTenant, version } = hostOf(context);
    return Response.json(await describe(defaultTenant.settings.publicUrl, version));
  });
  const reference = entry("GET /reference", async (context) => sendReference(hostOf(context)));
  const documentation = ["GET /docs", "GET /docs/*"].map((route) =>
    entry(
      route,
      async (context) => (await sendDocumentation(context.req.url)) ?? sendUnbuiltDocs(hostOf(context), context.req.path),
    ),
  );
  const routes = inOrder([...service, ...unserved, ...admin, ...pageRoutes(), description, reference, ...documentation]);
  for (const { method, path, run } of routes) app.on(method, path, run);
  for (const path of ["/public/*", "/oauth2/*"])
    app.on("OPTIONS", path, (context) => answerPreflight(context) ?? answerUnknown(context, routes));
  app.notFound((context) => answerUnknown(context, routes));
  app.onError((error) => {
    // Only a network fault without a socket throws here. It must reach the caller of fetch.
    throw error;
  });
  return app;
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

/** Literal segments come before parameters, so that `folders` in `/documents/folders` is not a document's id. */
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

const VARIANT_PATHS = [...operations, ...UNSERVED]
  .map(({ route }) => parseRoute(route))
  .filter(({ variant }) => variant !== undefined)
  .map(({ method, path, variant }) => ({ method, variant, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`) }));

function hasVariant(request: Request, path: string, wanted: (typeof VARIANTS)[number]): boolean {
  return VARIANT_PATHS.some(
    ({ method, variant, pattern }) => variant === wanted && method === request.method && pattern.test(path),
  );
}

/** Removes doubled and trailing slashes, and adds the variant that the query or a multipart body selects. assumed: http.slashes. */
function pathOf(request: Request): string {
  const { url } = request;
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const queryAt = url.indexOf("?", start);
  const hashAt = url.indexOf("#", start);
  const end = queryAt >= 0 ? queryAt : hashAt >= 0 ? hashAt : url.length;
  let path = start < 0 ? "/" : withoutDoubledSlashes(url.slice(start, end));
  if (path.length > 1 && path.endsWith("/")) path = path.slice(0, -1);
  if (path.includes(MARK)) return "/~";
  if (!path.startsWith("/public/") || request.method === "GET") return path;
  const marker = queryAt >= 0 ? new URLSearchParams(url.slice(queryAt + 1)) : undefined;
  for (const variant of VARIANTS) if (marker?.has(variant) && hasVariant(request, path, variant)) return path + MARK + variant;
  const isMultipart = request.headers.get("content-type")?.toLowerCase().startsWith("multipart/") ?? false;
  // Real clients also send multipart bodies without the marker.
  return isMultipart && hasVariant(request, path, "upload") ? `${path}${MARK}upload` : path;
}

function withoutDoubledSlashes(path: string): string {
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
}

function answerUnknown(context: Context, routes: readonly RouteEntry[]): Response | Promise<Response> {
  const host = hostOf(context);
  const path = pathOf(context.req.raw);
  const isLookedAt = context.req.header("accept")?.includes("text/html") ?? false;
  if (path === "/" && context.req.method === "GET" && isLookedAt) return sendLanding(host);
  const tenant = tenantOf(host, authorizationOf(context));
  const allowed = [...new Set(routes.filter((route) => matchesPath(route.path, path)).map((route) => route.method))];
  const { pathname } = new URL(context.req.url);
  const dialect = pathname.startsWith("/public/v2") || pathname.startsWith("/public/beta") ? "v2" : "v1";
  const isService = /^\/(?:public|oauth2)\//.test(path);
  if (context.req.method === "OPTIONS" && isService && allowed.length > 0)
    return runOptions(context, host, tenant, dialect, allowed);
  const error =
    allowed.length > 0
      ? new ApiError("method_not_allowed", `Method "${context.req.method}" not allowed.`, {
          headers: { allow: allowed.join(", ") },
          why: `${pathname} supports ${allowed.join(", ")}`,
        })
      : notFound(pathname.startsWith("/__admin") ? noAdminPath(pathname, routes) : noServicePath(pathname));
  if (pathname.startsWith("/__admin") || pathname === "/health")
    return isPageLoad(context.req) ? sendRefusal(host, error) : refuseAdmin(error, host);
  const refused = runUnmatched(context, host, tenant, error, dialect);
  // The journal records the call. At a path of the service, a browser shows what a client receives.
  return isPageLoad(context.req) && !isService ? refused.then(() => sendRefusal(host, error)) : refused;
}

const SERVICE_PATHS = [...new Set([...operations, ...UNSERVED].map(({ route }) => parseRoute(route).path))];
const SLIP_MAX = 3;
/** The time of a comparison grows with the length, so longer paths get no suggestion. */
const COMPARED_MAX = 200;

function noServicePath(pathname: string): string {
  const near = pathname.length > COMPARED_MAX ? undefined : nearestPath(pathname);
  return `the service has no path ${pathname}${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/** Edit distance by segment. A value in place of a parameter counts as equal. */
function nearestPath(pathname: string): string | undefined {
  const segments = pathname.replace(/\/+$/, "").split("/");
  const shaped = new Map<string, string>();
  for (const path of SERVICE_PATHS) {
    const wanted = path.split("/");
    const filled = wanted.map((part, i) =>
      part.startsWith("{") && wanted.length === segments.length ? (segments[i] ?? part) : part,
    );
    if (!shaped.has(filled.join("/"))) shaped.set(filled.join("/"), path);
  }
  const withPublic = `/public${segments.join("/")}`;
  const near =
    nearest(segments.join("/"), shaped.keys(), SLIP_MAX) ?? (SERVICE_PATHS.includes(withPublic) ? withPublic : undefined);
  return near === undefined ? undefined : (shaped.get(near) ?? near);
}

function noAdminPath(pathname: string, routes: readonly RouteEntry[]): string {
  const all = routes.map((route) => route.path).filter((path) => path.startsWith("/__admin/"));
  const near = nearest(pathname, all);
  return `the admin API has no path ${pathname}${near === undefined ? "." : `; did you mean ${near}?`} docs/admin-api.md lists all paths`;
}

function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const segments = path.split("/");
  return (
    wanted.length === segments.length &&
    wanted.every((part, i) => (part.startsWith(":") ? segments[i] !== "" : part === segments[i]))
  );
}
