/** A web application that acts for its users with OAuth tokens. */
import { Api, Refused } from "../api.ts";
import { ENDS, offer, type Place, sleep, type View } from "../place.ts";

const CLIENT = { client_id: "docdouble-client", client_secret: "docdouble-secret" };
const REDIRECT = "http://localhost:3000/back";

interface Token {
  access_token: string;
  refresh_token: string;
}

export async function team(place: Place, gap?: string): Promise<View> {
  let token = await login(place);
  const renew = async () => {
    token = await refresh(place, token);
  };
  const authorization = () => `Bearer ${token.access_token}`;
  const api = new Api(place, { gap, authorization, renew: gap === "old_token" ? undefined : renew });
  const id = await api.create(offer("Team offer", { order: "team-1" }));
  try {
    if ((await api.until(id, ["document.draft", ...ENDS], 60)) === "document.draft") await api.send(id);
    return { [id]: await api.until(id, ENDS, 40) };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return { [id]: "deleted" };
    throw error;
  }
}

/** Asks the user for consent as often as needed. A code works only once, even when the answer to its exchange is lost. */
async function login(place: Place): Promise<Token> {
  for (let tries = 1; ; tries++) {
    try {
      return await grant(place, { grant_type: "authorization_code", code: await consent(place), redirect_uri: REDIRECT });
    } catch (error) {
      if (tries === 8) throw error;
      await sleep(1000 * tries, askedBy(error));
    }
  }
}

/** A refresh token works only once too. When it fails, the user consents again. */
async function refresh(place: Place, { refresh_token }: Token): Promise<Token> {
  try {
    return await grant(place, { grant_type: "refresh_token", refresh_token });
  } catch (error) {
    await sleep(1000, askedBy(error));
    return login(place);
  }
}

const askedBy = (error: unknown): number => (error as { asked?: number }).asked ?? 0;

async function consent(place: Place): Promise<string> {
  const query = new URLSearchParams({
    client_id: CLIENT.client_id,
    redirect_uri: REDIRECT,
    scope: "read+write",
    response_type: "code",
  });
  const response = await place.fetch(`${place.url}/oauth2/authorize?${query}`, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "", REDIRECT).searchParams.get("code") ?? "";
}

async function grant(place: Place, form: Record<string, string>): Promise<Token> {
  const body = new URLSearchParams({ ...CLIENT, scope: "read+write", ...form });
  const response = await place.fetch(`${place.url}/oauth2/access_token`, { method: "POST", body });
  if (response.ok) return (await response.json()) as Token;
  throw Object.assign(new Error(`no token: ${response.status}`), {
    wait: 1000 * Number(response.headers.get("retry-after") ?? 0),
  });
}
