import { at } from "../service.ts";
import {
  ANY_PAGE,
  answerEach,
  answers,
  type Call,
  CONTACTS,
  DOCUMENTS,
  type Expected,
  isAsExpected,
  ITEMS,
  LOGS,
  malformed,
  NO_ID,
  stated,
} from "./checks.ts";
import type { Story } from "./story.ts";

const JSON_TYPE = "application/json";
const NOT_TEXT = ["Not a valid string."];
const NOT_AN_INTEGER = ["A valid integer is required."];
const TOKENS = "/oauth2/access_token";
const ORIGIN = "https://docdouble-probe.invalid";

const tracingHeaders: Story = async (account) => {
  const accepted = await account.call("GET", `${CONTACTS}?count=1`);
  if (accepted.headers.traceparent !== undefined) return `200 with traceparent ${accepted.headers.traceparent}`;
  const refused = await account.call("GET", `${CONTACTS}?count=1`, { authorization: "API-Key wrong", expects: [401] });
  return stated(refused.status === 401 && refused.headers.traceparent !== undefined, refused);
};

const cors: Story = async (account) => {
  const answer = await account.call("GET", `${CONTACTS}?count=1`, { headers: { origin: ORIGIN } });
  const allowed = answer.headers["access-control-allow-origin"];
  return stated(answer.status === 200 && (allowed === ORIGIN || allowed === "*"), answer);
};

const shortAlphabet: Story = async (account) => {
  const email = account.newEmail();
  const made = await account.create("contact", email, CONTACTS, { body: { email } });
  return stated(made.status < 300 && /^[2-9A-HJ-NP-Za-km-z]{22}$/.test(String(at(made.json, "id"))), made);
};

const schemeCase =
  (key: string): Story =>
  async (account) => {
    const answer = await account.call("GET", `${CONTACTS}?count=1`, { authorization: `aPi-kEy ${key}`, expects: [401] });
    return stated(answer.status === 200 && at(answer.json, "results") !== undefined, answer);
  };

/** A refusal of the token endpoint. RFC 6749 allows 401 for an unknown client. */
function tokenRefusal(form: Record<string, string>, error: string): readonly [Call, Expected] {
  const raw = { text: new URLSearchParams(form).toString(), type: "application/x-www-form-urlencoded" };
  return [(account) => account.call("POST", TOKENS, { raw, expects: [401] }), { status: 400, body: { error } }];
}

/** An error in a list names its place in the name of the member. */
const queryPaths: Story = async (account) => {
  const number = await account.call("GET", `${DOCUMENTS}?count=many`);
  if (!isAsExpected(number, { status: 400, body: { detail: { count: NOT_AN_INTEGER } } })) return stated(false, number);
  const list = await account.call("GET", `${LOGS}?statuses=200&statuses=many`);
  return stated(isAsExpected(list, { status: 400, body: { detail: { "statuses[1]": [/\w/] } } }), list);
};

export const errorStories = {
  "errors.form_data_path": answers((account) => account.upload({ name: 7 }), {
    status: 400,
    body: { detail: { name: NOT_TEXT } },
  }),
  "errors.inner_codes": answerEach(
    [["GET", `${ITEMS}/search?per_page=many`], { status: 400, body: { details: [{ code: "invalid" }] } }],
    [
      (account) => {
        const title = account.newName();
        return account.create("catalog item", title, ITEMS, { body: { title } });
      },
      { status: 400, body: { details: [{ code: "required" }] } },
    ],
  ),
  "errors.malformed_body_text": answers(malformed("contact", CONTACTS, '{"email": ', JSON_TYPE), {
    status: 400,
    body: { type: "request_error", detail: "JSON parse error - Expecting value: line 1 column 11 (char 10)" },
  }),
  "errors.nesting": answerEach(
    [
      (account) => account.upload({ recipients: [account.me("Client"), { email: account.brokenEmail(), role: "Director" }] }),
      { status: 400, body: { detail: { recipients: [{}, { email: ["Enter a valid email address."] }] } } },
    ],
    [(account) => account.upload({ tags: ["probe", 7] }), { status: 400, body: { detail: { tags: { "1": NOT_TEXT } } } }],
  ),
  "errors.query_paths": queryPaths,
  "errors.repeated_parameter": answerEach(
    [["GET", `${DOCUMENTS}?count=docdouble&count=1`], { status: 200, body: {} }],
    [["GET", `${DOCUMENTS}?count=1&count=docdouble`], { status: 400, body: { detail: { count: NOT_AN_INTEGER } } }],
  ),
  "errors.wrong_status_text": answers(async (account) => account.send(await account.sharedSent()), {
    status: 409,
    body: { status: "document.sent", info_message: /\w/ },
  }),
  "http.accept": answers(["GET", `${DOCUMENTS}?count=1`, { headers: { accept: "application/xml" } }], {
    status: 200,
    body: ANY_PAGE,
  }),
  "http.check_order": answers(
    malformed("contact", CONTACTS, "{", JSON_TYPE, { authorization: "API-Key wrong", expects: [401] }),
    { status: 401, body: { type: "authentication_error" } },
  ),
  "http.cors": cors,
  "http.empty_body": answers(async (account) => account.call("PATCH", `${DOCUMENTS}/${await account.sharedDraft()}/status`), {
    status: 400,
    body: { detail: { status: ["This field is required."] } },
  }),
  "http.json_texts": answers(malformed("contact", CONTACTS, "[1,", JSON_TYPE), {
    status: 400,
    body: { detail: /^JSON parse error - / },
  }),
  "http.media_type": answers(malformed("contact", CONTACTS, "email", "text/plain"), {
    status: 400,
    body: { type: "request_error", detail: /^Unsupported media type/ },
  }),
  "http.multipart_texts": answers(malformed("document", `${DOCUMENTS}?upload`, "probe", "multipart/form-data; boundary=x"), {
    status: 400,
    body: { detail: "Multipart form parse error - Invalid boundary or body" },
  }),
  "http.options": answers(["OPTIONS", `${DOCUMENTS}/${NO_ID}`], { status: 200, body: { renders: ["application/json"] } }),
  "http.slashes": answerEach(
    [["GET", "/public/v1//documents?count=1"], { status: 200, body: ANY_PAGE }],
    [["GET", `${DOCUMENTS}/?count=1`], { status: 200, body: ANY_PAGE }],
  ),
  "http.proto_member": answers(
    (account) => {
      const email = account.newEmail();
      const text = `{"email": "${email}", "__proto__": 1}`;
      return account.create("contact", email, CONTACTS, { raw: { text, type: JSON_TYPE } });
    },
    { status: 400, body: { type: "validation_error" } },
  ),
  "http.tracing_headers": tracingHeaders,
  "ids.short_alphabet": shortAlphabet,
  "oauth.error_codes": answerEach(
    tokenRefusal({ grant_type: "docdouble" }, "unsupported_grant_type"),
    tokenRefusal({ grant_type: "authorization_code" }, "invalid_request"),
    tokenRefusal({ grant_type: "authorization_code", client_id: NO_ID, client_secret: NO_ID, code: NO_ID }, "invalid_client"),
  ),
} as const;

export { schemeCase };
