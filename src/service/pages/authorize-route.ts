import type { Tenant } from "../kit/world.ts";
import type { AuthorizeInput, AuthorizeOutcome, Decision } from "../nouns/oauth/authorize.ts";
import { authorize } from "../nouns/oauth/authorize.ts";
import { findPerson } from "../nouns/members/members.ts";
import { AUTHORIZE_STYLE } from "./assets.ts";
import { consentPage, refusalPage } from "./authorize.ts";
import { hashSource, type Html } from "../../engine/http/html.ts";
import { textOf } from "../../engine/http/bodies.ts";
import type { PageCall } from "./page-call.ts";

const NAMES = ["client_id", "redirect_uri", "scope", "response_type", "state"] as const;

export function runAuthorize(call: PageCall): Response {
  const { tenant } = call;
  const { input, decision } = readAuthorize(call, NAMES);
  const outcome = tenant.store.transaction(() => authorize(tenant.world, input, decision));
  return answer(outcome, input, tenant);
}

/** The parameters of the address or of the form, and what the person decided. */
export function readAuthorize<Name extends string>(
  { context, tenant, bytes }: PageCall,
  names: readonly Name[],
): { input: Readonly<Record<Name, string | undefined>>; decision: Decision | undefined } {
  const isDecision = context.req.method === "POST";
  const parameters = isDecision ? new URLSearchParams(textOf(bytes ?? new Uint8Array())) : new URL(context.req.url).searchParams;
  const input = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? undefined])) as Record<
    Name,
    string | undefined
  >;
  return { input, decision: isDecision ? decisionOf(parameters) : tenant.settings.oauth === "auto" ? "approve" : undefined };
}

function decisionOf(form: URLSearchParams): Decision {
  return form.get("decision") === "approve" ? "approve" : "deny";
}

function answer(outcome: AuthorizeOutcome, input: AuthorizeInput, tenant: Tenant): Response {
  switch (outcome.kind) {
    case "redirect":
      return toRedirect(outcome.url);
    case "refuse":
      return toPage(400, refusalPage(outcome.problem, outcome.hint));
    case "ask": {
      const user = findPerson(tenant.world, outcome.client.membership_id)?.user;
      return toPage(200, consentPage(outcome.client.name, user?.email ?? "", outcome.scopes, input));
    }
  }
}

export function toRedirect(url: string): Response {
  return new Response(null, { status: 302, headers: { location: url, "cache-control": "no-store" } });
}

export function toPage(status: number, page: Html): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    // The form leads back to the application, which may have any address.
    "content-security-policy": `default-src 'none'; style-src ${hashSource(AUTHORIZE_STYLE)}; base-uri 'none'; frame-ancestors 'none'`,
  };
  return new Response(String(page), { status, headers });
}
