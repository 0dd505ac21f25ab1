/** Reasons about keys, tokens, rights and features. */
import type { Topic } from "./topic.ts";

export const ACCESS: readonly Topic[] = [
  {
    title: "Key and token",
    status: "401",
    intro: "docdouble does not know who is calling. A key in `Authorization` selects the world and the user of a call.",
    reasons: [
      [
        "no usable Authorization header; send `Authorization: API-Key docdouble-key`",
        "The call has no `Authorization` header, or an empty one.",
        "Send the header. Check that your client or proxy does not remove it.",
      ],
      [
        "the Authorization header is neither `API-Key <key>` nor `Bearer <token>`",
        "The header starts with another word, or with the bare key.",
        "Write `API-Key`, a space and the key.",
      ],
      [
        "an API key was sent as Bearer; send `Authorization: API-Key <key>`",
        "`Bearer` is for OAuth tokens. The text after it is an API key.",
        "Replace `Bearer` with `API-Key`.",
      ],
      [
        "no such API key; …, or use any test-<name>",
        "No world has this key.",
        "Use a key from the list in the text, or any key that begins with `test-`.",
      ],
      [
        "a newer API key of the same type replaced this key",
        "Somebody created another key for the same user and environment.",
        "Use the new key.",
      ],
      [
        "no such access token",
        "No world issued this token. A reset removes all tokens.",
        "Get a token from `/oauth2/access_token`.",
      ],
      [
        "the access token has expired; …",
        "An access token works for a limited time on the sandbox's clock.",
        "Refresh the token, as your client does in production.",
      ],
      ["the access token was replaced by a refresh", "A refresh ends the old token.", "Use the token that the refresh returned."],
      [
        "the user of these credentials was removed from the workspace",
        "The key or token belongs to a removed member.",
        "Use the key of an active member.",
      ],
      [
        "the workspace of these credentials was deactivated",
        "The key or token belongs to a workspace that is not active anymore.",
        "Use a key of an active workspace.",
      ],
      [
        "download-protected needs a production key; this is a sandbox key",
        "The service offers the protected download to production keys only.",
        "Use `docdouble-key`, or another key whose kind is `production`.",
      ],
    ],
  },
  {
    title: "OAuth",
    status: "400",
    intro:
      "The token endpoint refuses the exchange. `docdouble-client` and `docdouble-secret` are the client of the built-in world.",
    reasons: [
      [
        "grant_type … is neither authorization_code nor refresh_token",
        "The service knows these two grants only.",
        "Send one of them as a form field.",
      ],
      ["… is missing", "The form lacks `client_id` or `client_secret`.", "Send both, in a form-encoded body."],
      ["code is missing", "The grant `authorization_code` needs a code.", "Send the code that the redirect brought."],
      ["refresh_token is missing", "The grant `refresh_token` needs a token.", "Send the refresh token of the last answer."],
      [
        "unknown client_id or wrong client_secret",
        "No OAuth client of this world has this id and secret.",
        "Compare them with `oauth_clients` of your fixtures.",
      ],
      ["no OAuth client …", "No OAuth client has this id.", "Add it to `oauth_clients` of your fixtures."],
      ["no such code for this client", "Another client got the code, or nobody did.", "Start the authorization again."],
      ["the code has expired", "A code works for a short time.", "Exchange the code right after the redirect."],
      ["the code was used already; get a new code", "A code works once.", "Keep the tokens of the first exchange."],
      [
        "no such refresh token, or one that was used already",
        "A refresh token works once. Each refresh returns a new one.",
        "Store the new refresh token after every refresh.",
      ],
      [
        "the scope … is not read, write or read write",
        "The token request asks for a scope that does not exist.",
        "Send `read`, `write` or `read write`, or leave out `scope`.",
      ],
      ["this call needs the scope …; the token has …", "The token may not make this call.", "Ask for both scopes: `read write`."],
    ],
  },
  {
    title: "Admin API",
    status: "401, 403",
    intro: "These refusals protect the admin API from foreign web pages and machines. [Security](security.md) explains them.",
    reasons: [
      [
        "the admin API needs its token: send the header x-docdouble-admin-token, or enter the token as the password in a browser",
        "The server runs with `--admin-token`.",
        "Send the token with each call under `/__admin`.",
      ],
      [
        "this server only shows a saved world: start one with npx docdouble start --world FILE to go on with it",
        "`docdouble world show` shows a saved world, and changes nothing.",
        "Start a server with `npx docdouble start --world FILE`, and call that one.",
      ],
      [
        "the admin API answers under localhost and …, not under …; set --public-url",
        "The call used another host name than the server knows.",
        "Start the server with `--public-url` and the address that you use.",
      ],
      [
        "a page of … may not use the admin API; the inspector's origin is http://…",
        "A web page of another origin made the call.",
        "Call the admin API from your test or server, not from a page.",
      ],
      [
        "a … page may not use the admin API",
        "A page of another site made the call.",
        "Call the admin API from your test or server, not from a page.",
      ],
      [
        "this page does not have the inspector's current token: reload /__admin/ and try again",
        "The server restarted after you opened the page.",
        "Reload the inspector.",
      ],
    ],
  },
  {
    title: "Permission",
    status: "400, 403",
    intro:
      "The user of the key may not do this. Fixtures set the role of each member. [Limits](limits.md#what-a-caller-may-do) has the table of roles.",
    reasons: [
      [
        "the role … of … does not have …",
        "The role lacks the ability for every document and template.",
        "Use the key of a member, manager or admin.",
      ],
      [
        "the role … has … only for what … owns or created",
        "Members may change their own documents and templates only.",
        "Use the key of the owner, of a manager or of an admin.",
      ],
      [
        "only the document's owner, admins and managers may …; … is …",
        "The caller does not own the document.",
        "Use the key of the owner, of a manager or of an admin.",
      ],
      [
        "this account has no access to the audit trail",
        "You chose the reading `refuse` of `audit_trail.access`. Some accounts get this answer although they read everything else.",
        "Let your client go on without the audit trail.",
      ],
      [
        "… needs an admin of the workspace or the organization; … is neither",
        "Only admins change members and workspaces.",
        "Use the key of a member with the role `Admin`.",
      ],
      [
        "… needs an organization admin, and … is not one (fixtures: is_organization_owner or is_organization_admin)",
        "Only admins of the organization create and end workspaces and users.",
        "Set `is_organization_admin: true` for the member in the fixtures.",
      ],
      [
        "template … belongs to another workspace, which shares it; only that workspace changes it",
        "Your workspace may use the template, but not change it.",
        "Duplicate the template and change the copy, or use a key of its workspace.",
      ],
      [
        "template … belongs to the gallery; duplicate it, and change the copy",
        "Everybody can read a template of the gallery, but nobody can change it.",
        "Duplicate the template and change the copy.",
      ],
      [
        "… is not a member of workspace …; only its members share a template with it",
        "The caller has no seat in a workspace of the list.",
        "Add the caller to that workspace, or leave it out.",
      ],
      [
        "the workspace has its AI features off; switch ai_features_enabled on in its privacy settings",
        "Summaries, extracted values and the AI search need AI features.",
        "Call `updateWorkspacePrivacySettings` with `ai_features_enabled: true`, or start with `--assume privacy.ai_off=serve`.",
      ],
      [
        "… is not an admin of workspace …",
        "An API key is created for admins of the workspace only.",
        "Make the user an admin of that workspace first.",
      ],
      ["… is the owner of the workspace", "The owner's role cannot change.", "Choose another member."],
      ["… is the owner of workspace …", "The owner cannot be removed.", "Choose another member."],
      ["… is the only admin of the workspace", "A workspace keeps at least one admin.", "Make another member an admin first."],
      [
        "the roles of the workspace are …",
        "The workspace has no role of this name.",
        "Use a role from the list. Fixtures add roles with `custom_roles`.",
      ],
      [
        "the sender does not allow forwarding",
        "The document's settings forbid it.",
        "Allow forwarding in the document's settings.",
      ],
      ["the sender does not allow reassigning", "The document's settings forbid it.", "Allow it in the document's settings."],
    ],
  },
  {
    title: "Features of the account",
    status: "400, 403, 409",
    intro: "The account in your fixtures lacks a feature, or has used it up.",
    reasons: [
      [
        "a sandbox key may not send to …: only addresses at … are allowed; a production key sends to everybody",
        "A sandbox key sends inside its organization only, as with the real service.",
        "Use a production key such as `docdouble-key`, or an address of that domain.",
      ],
      [
        "the workspace has no notary add-on; set settings.notary of the workspace to true in the fixtures",
        "Notarization needs the add-on.",
        "Set it in `workspaces[].settings` of your fixtures.",
      ],
      [
        "all … notary transactions are used up; raise settings.notary_transactions of the workspace in the fixtures",
        "Each notarization uses one transaction. A canceled one counts no more.",
        "Raise the number in `workspaces[].settings`.",
      ],
      [
        "the workspace has no payment application; set settings.payment_app of the workspace to true in the fixtures",
        "A document can become paid only with a connected payment application.",
        "Set it in `workspaces[].settings` of your fixtures.",
      ],
      [
        "the workspace has … subscriptions already",
        "A workspace has at most 300 webhook subscriptions.",
        "Delete subscriptions that you do not need, or reset between tests.",
      ],
      [
        "this … had … editing sessions in the last week; … are allowed",
        "The service limits editing sessions of one template or document.",
        "Open fewer sessions, or advance the clock by a week.",
      ],
    ],
  },
];
