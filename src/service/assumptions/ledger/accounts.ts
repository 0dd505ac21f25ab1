import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption, DESCRIPTION_8_20 } from "./entry.ts";
import { DESCRIPTION_8_8 } from "./sightings.ts";

export const accounts: readonly AssumptionRecord[] = [
  assumption("auth.scheme_case", {
    statement: "The name of the scheme in the Authorization header may have upper and lower case.",
  }),
  assumption("members.abilities", {
    statement: "Members change their own documents; collaborators only read.",
    sources: [
      { kind: "description", text: "The official description names abilities. It does not say which role has which ability." },
    ],
  }),
  assumption("members.current_workspace", {
    statement: "The current workspace of a user is the workspace where the user is a member.",
    operations: ["detailsMember", "detailsCurrentMember"],
  }),
  assumption("members.custom_role", {
    statement: "A custom role has the abilities of a member.",
    operations: ["changeMemberRole"],
  }),
  assumption("members.delete_right", {
    statement: "The owner of a document, managers and admins may delete or transfer it.",
    operations: ["deleteDocument", "transferDocumentOwnership"],
  }),
  assumption("members.mail", {
    statement: "A new member gets a mail only when the query asks for one.",
    operations: ["addMember"],
  }),
  assumption("members.not_found", {
    statement: "An unknown member answers 404 with the usual body.",
    operations: ["detailsMember"],
    sources: [
      {
        kind: "description",
        text: "The official description lists no 404 for members. docdouble uses the error body that other operations have.",
      },
    ],
  }),
  assumption("members.order", {
    statement: "Members are listed from the oldest.",
    operations: ["listMembers"],
  }),
  assumption("members.org_admin", {
    statement: "Only fixtures appoint organization admins.",
    operations: ["getWorkspacesList"],
  }),
  assumption("members.remove", {
    statement: "Everybody who may add members may also remove them.",
    operations: ["removeMember"],
  }),
  assumption("members.role_name", {
    statement: "A request may give the name of a custom role as a role.",
    operations: ["addMember", "changeMemberRole"],
    sources: [
      { kind: "description", text: "The text of the official description allows it. Its schema does not list such names." },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("members.unknown_text", {
    statement: "For an unknown member in a body, docdouble uses its own error text.",
    operations: ["createDocument", "sendDocument"],
  }),
  assumption("members.verified_email", {
    statement: "Every email address of a member is verified.",
    operations: ["listMembers", "detailsMember"],
  }),
  assumption("oauth.code_lifetime", {
    statement: "An authorization code is valid for ten minutes.",
    operations: ["accessToken"],
  }),
  assumption("oauth.error_codes", {
    statement: "The error codes of the token endpoint are the codes of RFC 6749.",
    operations: ["accessToken"],
    sources: [
      {
        kind: "description",
        text: "The service publishes unsupported_grant_type only. The standard for OAuth, RFC 6749, defines the other codes.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("oauth.member_token", {
    statement: "A member token may read and write. The client sends it as Bearer.",
    operations: ["createMemberToken"],
  }),
  assumption("oauth.member_token_minimum", {
    statement: "A member token lives for one second at least.",
    operations: ["createMemberToken"],
    sources: [
      { kind: "description", text: "The service publishes the maximum only. One second is the shortest useful lifetime." },
    ],
  }),
  assumption("oauth.redirect_errors", {
    statement: "The errors in redirects are the errors of RFC 6749.",
  }),
  assumption("oauth.refresh_rotation", {
    statement: "A refresh gives a new refresh token and ends the old one.",
    operations: ["accessToken"],
  }),
  assumption("oauth.scope", {
    statement:
      "A call that reads needs the scope read. Every other call needs the scope write. Without the scope the answer is 403.",
  }),
  assumption("privacy.bad_id", {
    statement: "An id with another form than 22 letters and digits answers 400. An unknown id of this form answers 404.",
    operations: ["getWorkspacePrivacySettings", "updateWorkspacePrivacySettings"],
    sources: [
      {
        kind: "description",
        text: "Version 8.20.0 of the official description gives the form of the id, and lists 400 and 404.",
      },
    ],
    seen: [DESCRIPTION_8_20],
  }),
  assumption("privacy.defaults", {
    statement: "In a new workspace all AI settings are on, except that other companies may not train models.",
    operations: ["getWorkspacePrivacySettings"],
    sources: [{ kind: "description", text: "The example of the official description shows these values." }],
    seen: [DESCRIPTION_8_20],
  }),
  assumption("privacy.dependents", {
    statement:
      "While the master switch is off, every other AI setting stays off, even if a request turns it on. A later request turns each on again.",
    operations: ["updateWorkspacePrivacySettings"],
    sources: [
      {
        kind: "description",
        text: "The official description says that the master switch and HIPAA turn off the other settings. For HIPAA it includes values of the same request.",
      },
    ],
    seen: [DESCRIPTION_8_20],
  }),
  assumption("users.fault_text", {
    statement: "When it refuses a user, docdouble uses its own text.",
    operations: ["createUser"],
    sources: [
      {
        kind: "description",
        text: "The official description says that the service checks the format. It does not give the text of the refusal.",
      },
    ],
  }),
  assumption("users.guest_role", {
    statement: "A new user or member with the license Guest may have another role than Collaborator, and keeps the license.",
    operations: ["createUser", "addMember"],
    sources: [
      {
        kind: "description",
        text: "The official description says that a change of the role turns such a guest into a full user. It describes no other call.",
      },
    ],
    seen: [DESCRIPTION_8_8],
  }),
  assumption("users.list", {
    statement: "A list shows users without a seat only with show_removed. The oldest user comes first.",
    operations: ["listUsers"],
  }),
  assumption("users.seats", {
    statement: "The organization has the same seats as the caller's workspace.",
    operations: ["createUser"],
  }),
  assumption("workspaces.api_key_type", {
    statement: "A request may omit the type of a key. Then the default applies.",
    operations: ["createApiKey"],
    sources: [
      { kind: "description", text: "The official description marks the member as required, and also gives it a default." },
    ],
  }),
  assumption("workspaces.bad_icon", {
    statement: "The call that creates a workspace refuses a bad icon at once.",
    operations: ["createWorkspace"],
    sources: [{ kind: "guess", text: "The answer has no field for a later error, so a bad icon can only fail the call itself." }],
  }),
  assumption("workspaces.deactivate", {
    statement: "Only organization admins may deactivate a workspace. Its members then lose their seats, keys and tokens.",
    operations: ["deactivateWorkspace"],
  }),
  assumption("workspaces.icon_timeout", {
    statement: "docdouble fetches an icon within a time limit.",
    operations: ["createWorkspace"],
  }),
  assumption("workspaces.images", {
    statement: "An update checks the icon and the logo at once. The answer shows the address of the logo as the request gave it.",
    operations: ["updateWorkspace"],
    sources: [
      {
        kind: "description",
        text: "The official description states formats and size of both images. Only the icon must be square.",
      },
    ],
    seen: [DESCRIPTION_8_20],
  }),
  assumption("workspaces.key_refusal", {
    statement: "When it refuses a key, docdouble chooses the status and the text.",
    operations: ["createApiKey"],
  }),
  assumption("workspaces.list", {
    statement: "Any member may list the workspaces. The oldest comes first.",
    operations: ["getWorkspacesList"],
  }),
  assumption("workspaces.other_keys", {
    statement: "A new key leaves the keys of other members valid.",
    operations: ["createApiKey"],
  }),
  assumption("workspaces.owner", {
    statement:
      "If the organization's owner is a member, a workspace of the fixtures belongs to that owner. Otherwise it belongs to its first admin.",
    operations: ["getWorkspacesList"],
  }),
  assumption("workspaces.plan", {
    statement: "A new workspace has the notary, trial and currency settings of the organization.",
    operations: ["createWorkspace"],
  }),
];
