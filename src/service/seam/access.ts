/** Keys, tokens and their limits, as the engine sees them. */
import { hideIdsBelow } from "../../engine/journal/redact.ts";
import { authenticate, parseAuthorization } from "../nouns/oauth/credentials.ts";
import { rateLimitOf } from "../nouns/oauth/rate-limits.ts";
import { scopeRefusal } from "../nouns/members/members.ts";
import { DEFAULT_KEY } from "../kit/names.ts";
import type { Caller, World } from "../kit/world.ts";

// The address of a document in the web application grants access alone.
hideIdsBelow("document");

export const access = {
  credentials: parseAuthorization,
  authenticate,
  scopeRefusal,
  rateLimitOf(world: World, caller: Caller, operation: string, body: () => unknown) {
    const { environment, user_id } = caller;
    const limited = rateLimitOf(world.reading("rate_limit.profile"), environment, operation, () => hasUrl(body()));
    return limited && { ...limited, account: `${user_id}:${environment}`, assumption: "rate_limit.profile" };
  },
  describe: ({ user_id, email, workspace_id, environment }: Caller) => ({ user_id, email, workspace_id, environment }),
  shown: ["user_id", "email", "environment"],
  endCredentials({ store, clock }: World, caller: Caller): void {
    const token = store.tokens.get(caller.credential);
    if (token) store.tokens.put({ ...token, expires_at: clock.now() });
  },
  grant: {
    operation: "accessToken",
    keys: (form: URLSearchParams) =>
      [
        ["oauth_codes", form.get("code") ?? ""],
        ["tokens", form.get("refresh_token") ?? ""],
      ] as const,
  },
  keys: { tokens: "refresh_token", documents: "link", editing_sessions: "token" },
  adopt({ store }: World, from: string, to: string): void {
    const keys = store.api_keys;
    const known = keys.get(from) ?? keys.all().find((one) => one.environment === "production" && !one.revoked);
    if (known) keys.put({ ...known, id: to });
    if (known?.id === from) keys.delete(from);
  },
  keyIn({ store }: World): string {
    const keys = store.api_keys.all().filter((one) => !one.revoked);
    return (keys.find((one) => one.environment === "production") ?? keys[0])?.id ?? DEFAULT_KEY;
  },
  secrets: ["api_keys", "tokens"],
  *ends({ store }: World, now: number): Iterable<number> {
    for (const { expires_at } of store.tokens.all()) if (expires_at > now) yield expires_at;
  },
};

function hasUrl(body: unknown): boolean {
  return typeof body === "object" && body !== null && "url" in body && typeof body.url === "string";
}
