/** Records about credentials, members, users and workspaces. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const accounts: readonly AssumptionRecord[] = [
  assumption("auth.scheme_case", {
    statement: "The scheme of the Authorization header may have any case.",
    probeable: true,
  }),
  assumption("members.abilities", {
    statement: "Members change their own documents; collaborators only read.",
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The service names abilities, not which role has which." }],
  }),
  assumption("members.current_workspace", {
    statement: "The current workspace of a user is the workspace of the member.",
    operations: ["detailsMember", "detailsCurrentMember"],
    probeable: REASONS.hidden,
  }),
  assumption("members.custom_role", {
    statement: "A custom role has the abilities of a member.",
    operations: ["changeMemberRole"],
    probeable: REASONS.account,
  }),
  assumption("members.delete_right", {
    statement: "The owner of a document, managers and admins may delete or transfer it.",
    operations: ["deleteDocument", "transferDocumentOwnership"],
    probeable: REASONS.account,
  }),
  assumption("members.mail", {
    statement: "A new member gets a mail only when the query asks for one.",
    operations: ["addMember"],
    probeable: REASONS.account,
  }),
  assumption("members.not_found", {
    statement: "An unknown member answers 404 with the usual body.",
    operations: ["detailsMember"],
    probeable: true,
    sources: [{ kind: "description", text: "The description declares no 404 for members." }],
  }),
  assumption("members.order", {
    statement: "Members are listed from the oldest.",
    operations: ["listMembers"],
    probeable: true,
  }),
  assumption("members.org_admin", {
    statement: "Only fixtures appoint organization admins.",
    operations: ["getWorkspacesList"],
    probeable: REASONS.account,
  }),
  assumption("members.remove", {
    statement: "Whoever may add members may remove them.",
    operations: ["removeMember"],
    probeable: REASONS.account,
  }),
  assumption("members.role_name", {
    statement: "A role may be named by the name of a custom role.",
    operations: ["addMember", "changeMemberRole"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The text says so; the schema omits it." }],
  }),
  assumption("members.unknown_text", {
    statement: "The text for an unknown member in a body is that of docdouble.",
    operations: ["createDocument", "sendDocument"],
    probeable: true,
  }),
  assumption("members.verified_email", {
    statement: "Every e-mail address of a member is verified.",
    operations: ["listMembers", "detailsMember"],
    probeable: REASONS.hidden,
  }),
  assumption("oauth.code_lifetime", {
    statement: "An authorization code is valid for ten minutes.",
    operations: ["accessToken"],
    probeable: REASONS.person,
  }),
  assumption("oauth.error_codes", {
    statement: "Error codes of the token endpoint are those of RFC 6749.",
    operations: ["accessToken"],
    probeable: true,
    sources: [{ kind: "description", text: "Only unsupported_grant_type is published." }],
  }),
  assumption("oauth.member_token", {
    statement: "A member token may read and write, and is sent as Bearer.",
    operations: ["createMemberToken"],
    probeable: REASONS.account,
  }),
  assumption("oauth.member_token_minimum", {
    statement: "A member token lives for one second at least.",
    operations: ["createMemberToken"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "Only the maximum is published." }],
  }),
  assumption("oauth.redirect_errors", {
    statement: "Errors in redirects are those of RFC 6749.",
    probeable: REASONS.person,
  }),
  assumption("oauth.refresh_rotation", {
    statement: "A refresh gives a new refresh token and ends the old one.",
    operations: ["accessToken"],
    probeable: REASONS.account,
  }),
  assumption("oauth.scope", {
    statement: "A call that reads needs the scope read; every other call needs write. Without the scope the answer is 403.",
    probeable: REASONS.account,
  }),
  assumption("users.fault_text", {
    statement: "The text of a refused user is that of docdouble.",
    operations: ["createUser"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The description says that the format is checked." }],
  }),
  assumption("users.list", {
    statement: "Users without a seat are listed only with show_removed. The oldest comes first.",
    operations: ["listUsers"],
    probeable: REASONS.account,
  }),
  assumption("users.seats", {
    statement: "The seats of the organization are those of the caller's workspace.",
    operations: ["createUser"],
    probeable: REASONS.account,
  }),
  assumption("workspaces.api_key_type", {
    statement: "The type of a key may be omitted; the default applies.",
    operations: ["createApiKey"],
    probeable: REASONS.account,
    sources: [{ kind: "description", text: "The member is marked as required and has a default." }],
  }),
  assumption("workspaces.bad_icon", {
    statement: "A bad icon is refused during the call.",
    operations: ["createWorkspace"],
    probeable: REASONS.account,
    sources: [{ kind: "guess", text: "No later answer could report it." }],
  }),
  assumption("workspaces.deactivate", {
    statement: "Only organization admins deactivate a workspace. Members lose seats, keys and tokens.",
    operations: ["deactivateWorkspace"],
    probeable: REASONS.account,
  }),
  assumption("workspaces.icon_timeout", {
    statement: "Fetching an icon has a time limit.",
    operations: ["createWorkspace"],
    probeable: REASONS.account,
  }),
  assumption("workspaces.key_refusal", {
    statement: "Status and text of a refused key are those of docdouble.",
    operations: ["createApiKey"],
    probeable: REASONS.account,
  }),
  assumption("workspaces.list", {
    statement: "Any member may list the workspaces. The oldest comes first.",
    operations: ["getWorkspacesList"],
    probeable: REASONS.account,
  }),
  assumption("workspaces.other_keys", {
    statement: "A new key leaves the keys of other members valid.",
    operations: ["createApiKey"],
    probeable: REASONS.account,
  }),
  assumption("workspaces.owner", {
    statement: "A workspace of the fixtures belongs to the organization's owner when a member, otherwise to its first admin.",
    operations: ["getWorkspacesList"],
    probeable: REASONS.account,
  }),
  assumption("workspaces.plan", {
    statement: "A new workspace has the notary, trial and currency settings of the organization.",
    operations: ["createWorkspace"],
    probeable: REASONS.account,
  }),
];
