/** Callers other than the default one, created through the API. */
import { succeed } from "./stories.ts";
import type { CallOptions, TestWorld } from "./world.ts";

export const WORKSPACE = "WorkspaceMainxxxxxxxxx";
export const NORA = { member: "MemberNoraxxxxxxxxxxxx", user: "UserNoraxxxxxxxxxxxxxx", email: "nora.lind@northpeak.example" };
export const SAM = { member: "MemberSamxxxxxxxxxxxxx", user: "UserSamxxxxxxxxxxxxxxx", email: "sam.ode@northpeak.example" };
export const INES = { member: "MemberInesxxxxxxxxxxxx", user: "UserInesxxxxxxxxxxxxxx" };

export const PERMISSION = { type: "permissions_error", detail: "You do not have permission to perform this action." };
export const NOT_FOUND = { type: "request_error", detail: "Not found" };
export const UNKNOWN_KEY = { type: "authentication_error", detail: "Invalid key." };

export function bearer(token: string): Pick<CallOptions, "key" | "headers"> {
  return { key: null, headers: { authorization: `Bearer ${token}` } };
}

/** The credentials of a member, as options of `call`. */
export async function asMember(world: TestWorld, member: string): Promise<Pick<CallOptions, "key" | "headers">> {
  const { body } = await succeed(world.call("createMemberToken", { params: { member_id: member } }));
  return bearer(body.token);
}

/** A new workspace of the organization with a production key. */
export async function anotherWorkspace(world: TestWorld, name = "Branch"): Promise<{ id: string; key: string }> {
  const { id } = (await succeed(world.call("createWorkspace", { body: { name } }))).body;
  const made = await succeed(world.call("createApiKey", { params: { workspace_id: id }, body: { type: "production" } }));
  return { id, key: made.body.key };
}

/** An access token of the default member from the OAuth flow. */
export async function aTokenOf(world: TestWorld, scope: string): Promise<string> {
  const { body } = await succeed(world.admin("POST", "/oauth/codes", { client_id: "docdouble-client", scope }));
  const client = { client_id: "docdouble-client", client_secret: "docdouble-secret" };
  const form = new URLSearchParams({ grant_type: "authorization_code", ...client, code: body.code }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return (await succeed(world.call("accessToken", { key: null, body: form, headers }))).body.access_token;
}
