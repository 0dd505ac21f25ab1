/** Stories about refusals that every operation shares. */
import { at } from "../service.ts";
import { answerEach, answers, CONTACTS, DOCUMENTS, ITEMS, stated } from "./checks.ts";
import type { Story } from "./story.ts";

const JSON_TYPE = "application/json";
const NOT_TEXT = ["Not a valid string."];
const NOT_AN_INTEGER = ["A valid integer is required."];
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

export const errorStories = {
  "errors.form_data_path": answers((account) => account.upload({ name: 7 }), {
    status: 400,
    body: { detail: { name: NOT_TEXT } },
  }),
  "errors.inner_codes": answerEach(
    [["GET", `${ITEMS}/search?per_page=many`], { status: 400, body: { details: [{ code: "invalid" }] } }],
    [["POST", ITEMS, { body: { title: "docdouble probe" } }], { status: 400, body: { details: [{ code: "required" }] } }],
  ),
  "errors.malformed_body_text": answers(["POST", CONTACTS, { raw: { text: '{"email": ', type: JSON_TYPE } }], {
    status: 400,
    body: { type: "request_error", detail: "JSON parse error - Expecting value: line 1 column 11 (char 10)" },
  }),
  "errors.nesting": answerEach(
    [
      (account) => account.upload({ recipients: [account.me("Client"), { email: "nobody", role: "Director" }] }),
      { status: 400, body: { detail: { recipients: [{}, { email: ["Enter a valid email address."] }] } } },
    ],
    [(account) => account.upload({ tags: ["probe", 7] }), { status: 400, body: { detail: { tags: { "1": NOT_TEXT } } } }],
  ),
  "errors.query_paths": answers(["GET", `${DOCUMENTS}?count=many`], {
    status: 400,
    body: { detail: { count: NOT_AN_INTEGER } },
  }),
  "errors.repeated_parameter": answers(["GET", `${DOCUMENTS}?count=1&count=2`], {
    status: 400,
    body: { detail: { count: NOT_AN_INTEGER } },
  }),
  "errors.wrong_status_text": answers(async (account) => account.send(await account.sharedSent()), {
    status: 409,
    body: { status: "document.sent", info_message: /\w/ },
  }),
  "http.check_order": answers(
    ["POST", CONTACTS, { raw: { text: "{", type: JSON_TYPE }, authorization: "API-Key wrong", expects: [401] }],
    { status: 401, body: { type: "authentication_error" } },
  ),
  "http.cors": cors,
  "http.json_texts": answers(["POST", CONTACTS, { raw: { text: "[1,", type: JSON_TYPE } }], {
    status: 400,
    body: { detail: /^JSON parse error - / },
  }),
  "http.media_type": answers(["POST", CONTACTS, { raw: { text: "email", type: "text/plain" } }], {
    status: 400,
    body: { type: "request_error", detail: /^Unsupported media type/ },
  }),
  "http.multipart_texts": answers(
    ["POST", `${DOCUMENTS}?upload`, { raw: { text: "probe", type: "multipart/form-data; boundary=x" } }],
    { status: 400, body: { detail: "Multipart form parse error - Invalid boundary or body" } },
  ),
  "http.proto_member": answers(
    ["POST", CONTACTS, { raw: { text: '{"email": "nobody@example.com", "__proto__": 1}', type: JSON_TYPE } }],
    { status: 400, body: { type: "validation_error" } },
  ),
  "http.tracing_headers": tracingHeaders,
  "ids.short_alphabet": shortAlphabet,
} as const;

export { schemeCase };
