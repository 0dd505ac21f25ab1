import { createCode, isScope, scopesOf } from "./credentials.ts";
import type { World } from "../../model/world.ts";
import type { OAuthClientRow } from "../../model/oauth/rows.ts";

export type AuthorizeInput = Readonly<
  Record<"client_id" | "redirect_uri" | "scope" | "response_type" | "state", string | undefined>
>;

export type Decision = "approve" | "deny";

export type AuthorizeOutcome =
  /** Shown on the page, because the redirect address is not registered. */
  | { kind: "refuse"; problem: string; hint: string }
  | { kind: "ask"; client: OAuthClientRow; scopes: string[] }
  | { kind: "redirect"; url: string };

/** Checks the request, and carries out a decision. assumed: oauth.redirect_errors. */
export function authorize(world: World, input: AuthorizeInput, decision: Decision | undefined): AuthorizeOutcome {
  const client = world.store.oauth_clients.get(input.client_id ?? "");
  if (!client) {
    const known = world.store.oauth_clients.all().map((one) => one.id);
    return {
      kind: "refuse",
      problem: input.client_id ? `There is no application with the client_id ${input.client_id}.` : "The client_id is missing.",
      hint: `Known here: ${known.join(", ") || "none"}. Fixtures name more under oauth_clients.`,
    };
  }
  const { redirect_uri } = input;
  if (!redirect_uri || !isRegistered(client, redirect_uri)) {
    return {
      kind: "refuse",
      problem: redirect_uri
        ? `The redirect_uri ${redirect_uri} is not one of this application's.`
        : "The redirect_uri is missing.",
      hint: `${client.name} takes ${client.redirect_uris.map((uri) => (uri === "loopback" ? "any address on this machine" : uri)).join(", ")}.`,
    };
  }
  const back = (result: Record<string, string>) => ({
    kind: "redirect" as const,
    url: withResult(redirect_uri, input.state, result),
  });
  if (input.response_type !== "code")
    return back({ error: input.response_type ? "unsupported_response_type" : "invalid_request" });
  const words = (input.scope ?? "").trim().split(/\s+/);
  if (!isScope(input.scope ?? "")) return back({ error: "invalid_scope" });
  if (decision === "deny") return back({ error: "access_denied" });
  if (decision === undefined) return { kind: "ask", client, scopes: scopesOf(words.join(" ")) };
  return back({ code: createCode(world, client, words.join(" ")) });
}

function isRegistered(client: OAuthClientRow, uri: string): boolean {
  if (client.redirect_uris.includes(uri)) return true;
  return client.redirect_uris.includes("loopback") && isLoopback(uri);
}

export function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) && (["localhost", "[::1]"].includes(hostname) || /^127(\.\d+){3}$/.test(hostname));
}

/** Recorded redirects have the state first, also when it is empty. */
function withResult(uri: string, state: string | undefined, result: Record<string, string>): string {
  return withParameters(uri, { state: state ?? "", ...result });
}

export function withParameters(uri: string, result: Record<string, string>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(result)) url.searchParams.append(name, value);
  return url.href;
}
