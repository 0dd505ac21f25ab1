/** The double of the vendor's own MCP server. `docs/do/agents.md` describes it. */
import type { Context } from "hono";
import type { PageRoute } from "../pages/pages.ts";
import { MCP_PATHS } from "./address.ts";
import { runAuthorizePage, runRegister, runToken } from "./authorize.ts";
import { sendNoMetadata, sendResourceMetadata, sendServerMetadata } from "./discovery.ts";
import { runMcp } from "./endpoint.ts";

const WELL_KNOWN = "/.well-known";

/**
 * Other addresses where clients look. Source: captured at the live server in June: the document about the resource is not at the root of
 * the host.
 */
const ABSENT = [
  "/oauth-protected-resource",
  "/openid-configuration",
  ...MCP_PATHS.flatMap((path) => [`/oauth-authorization-server${path}`, `/openid-configuration${path}`]),
];

export function mcpRoutes(): PageRoute[] {
  const route = (method: string, path: string, run: (context: Context) => Response | Promise<Response>): PageRoute => ({
    method,
    path,
    run: async (context) => run(context),
  });
  return [
    ...MCP_PATHS.flatMap((path) => [
      route("ALL", path, runMcp),
      route("GET", `${WELL_KNOWN}/oauth-protected-resource${path}`, sendResourceMetadata(path)),
    ]),
    route("GET", `${WELL_KNOWN}/oauth-authorization-server`, sendServerMetadata),
    ...ABSENT.map((path) => route("GET", WELL_KNOWN + path, sendNoMetadata)),
    route("GET", "/authorize", runAuthorizePage),
    route("POST", "/authorize", runAuthorizePage),
    ...["POST", "OPTIONS"].flatMap((method) => [route(method, "/register", runRegister), route(method, "/token", runToken)]),
  ];
}
