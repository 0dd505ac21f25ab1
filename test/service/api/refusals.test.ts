/** Refusals where the sources conflict: nested errors, texts, types, enums and headers. */
import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, CLIENT, TEMPLATES } from "../../support/stories.ts";
import { testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const INTEGER = ["A valid integer is required."];

describe("field errors", () => {
  const create = { template_uuid: TEMPLATES.oneSigner, name: "Offer", recipients: [CLIENT] };

  test.each([
    [
      "an entry without a fault is an empty object",
      { recipients: [CLIENT, { ...CLIENT, email: "nobody" }, CLIENT] },
      { recipients: [{}, { email: ["Enter a valid email address."] }, {}] },
    ],
    [
      "a fault that only the domain finds is nested too",
      { recipients: [CLIENT, { role: "Client" }] },
      { recipients: [{}, { email: ["Email or phone is required."] }] },
    ],
    [
      "objects in objects",
      { fields: { "Client.Name": { value: [] } }, owner: { email: 7 } },
      { fields: { "Client.Name": { value: ["Invalid data."] } }, owner: { email: ["Not a valid string."] } },
    ],
    ["plain values by index", { tags: ["fine", 7] }, { tags: { 1: ["Not a valid string."] } }],
    [
      "an entry that is not an object",
      { tokens: [{ name: "a", value: "b" }, "c"] },
      { tokens: [{}, { non_field_errors: ["Invalid data. Expected a dictionary, but got str."] }] },
    ],
    [
      "lists in lists",
      { tables: [{ name: "T", data: { sections: [{ header: [], rows: [[{ text: "a" }, { text: 7 }]] }] } }] },
      { tables: [{ data: { sections: [{ rows: [[{}, { text: ["Not a valid string."] }]] }] } }] },
    ],
  ])("createDocument: %s", async (_, change, detail) => {
    const answer = await world.call("createDocument", { body: { ...create, ...change } });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: { type: "validation_error", detail } });
  });

  test("the data part of a form has nested errors, with one entry per sent entry", async () => {
    const parts = { file: new File(["%PDF-"], "a.pdf"), data: { name: "F", recipients: [{ email: "x" }, CLIENT] } };
    const answer = await world.call("createDocumentFromUpload", { parts });
    expect(answer.body).toEqual({
      type: "validation_error",
      detail: { recipients: [{ email: ["Enter a valid email address."] }, {}] },
    });
  });

  test.each([
    ["a null character", { name: "F\0" }, { name: ["Null characters are not allowed."] }],
    ["half of a letter", { name: "F", metadata: { x: "\ud83d" } }, { metadata: { x: ["Not a valid string."] } }],
  ])("the data part of a form with %s names its member", async (_, change, detail) => {
    const parts = { file: new File(["%PDF-"], "a.pdf"), data: { recipients: [CLIENT], ...change } };
    const answer = await world.call("createDocumentFromUpload", { parts });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: { type: "validation_error", detail } });
  });

  test("a body that is a list gets a list of errors", async () => {
    const answer = await world.call("bulkDeleteDocuments", { body: [{ id: "x" }, {}] });
    expect(answer.body).toEqual({ type: "validation_error", detail: [{}, { id: ["This field is required."] }] });
  });

  test("version 2 uses pointers, queries use flat names, and createUser uses the names of its official example", async () => {
    const document_id = await aDraft(world);
    const v2 = await world.call("addDsvNamedItems", { params: { document_id }, body: { named_items: [{}] } });
    expect(v2.body.code).toBe("bad_request");
    for (const { pointer } of v2.body.details) expect(pointer).toMatch(/^\/[^.[\]]+$/);
    const query = await world.request("GET", "/public/v1/webhook-events?count=1&page=1&type=x&type=document_updated");
    expect(query.body.detail).toEqual({ "type[0]": ['"x" is not a valid choice.'] });
    const user = { user: { email: "x" }, workspaces: [{}], license: "Full" };
    expect((await world.call("createUser", { body: user })).body.detail).toMatchObject({
      email: ["Enter a valid email address."],
      role: ["This field is required."],
    });
  });
});

describe("types", () => {
  test("of a number, a boolean, a date and a text that a query repeats, the last value counts and keeps its message", async () => {
    const answerOf = async (query: string) => {
      const { status, body } = await world.request("GET", `/public/v1/documents?${query}`);
      return status === 200 ? status : body.detail;
    };
    const date = expect.stringContaining("Datetime has wrong format.");
    expect(await answerOf("count=1&count=x")).toEqual({ count: INTEGER });
    expect(await answerOf("deleted=true&deleted=perhaps")).toEqual({ deleted: ["Must be a valid boolean."] });
    expect(await answerOf("created_from=2026-01-01&created_from=soon")).toEqual({ created_from: [date] });
    for (const query of [
      "count=x&count=2",
      "deleted=perhaps&deleted=false",
      "created_from=soon&created_from=2026-01-02",
      "q=a&q=b",
    ])
      expect(await answerOf(query), query).toBe(200);
  });

  test("verification settings need exactly one method", async () => {
    const create = (verification_settings: object) =>
      world.call("createDocument", {
        body: { template_uuid: TEMPLATES.oneSigner, recipients: [{ ...CLIENT, verification_settings }] },
      });
    const none = { verification_place: "before_open" };
    const one = { ...none, passcode_verification: { passcode: "secret7" } };
    const two = { ...one, id_verification: { enabled: true } };
    const message = async (settings: object) => (await create(settings)).body.detail.recipients;
    expect(await message(none)).toEqual([{ verification_settings: ["A verification method is required."] }]);
    expect(await message({ ...none, passcode_verification: null })).toEqual([
      { verification_settings: ["A verification method is required."] },
    ]);
    expect(await message(two)).toEqual([{ verification_settings: ["Only one verification method can be used."] }]);
    expect((await create(one)).status).toBe(201);
    const id = await aDraft(world);
    const recipient_id = world.tenant.store.documents.get(id)?.recipients[0]?.id ?? "";
    const edited = await world.call("editDocumentRecipient", {
      params: { id, recipient_id },
      body: { verification_settings: none },
    });
    expect([edited.status, edited.body.detail]).toEqual([400, { verification_settings: ["A verification method is required."] }]);
  });
});

describe("texts and headers", () => {
  test("a 401 has the headers of request id, source and trace, and other answers only the id", async () => {
    const headersOf = async (key: string | null) => {
      const world = await testWorld();
      const { headers } = await world.call("listDocuments", { key });
      return ["x-request-id", "x-request-source", "traceparent"].map((name) => headers.get(name));
    };
    const [id, source, trace] = await headersOf(null);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(source).toBe("public-api");
    expect(trace).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
    expect(trace).toContain(id?.replaceAll("-", ""));
    // The same story produces the same ids.
    expect(await headersOf("wrong")).toEqual([id, source, trace]);
    expect(await headersOf("docdouble-key")).toEqual([id, null, null]);
  });

  test("a refusal names the act that is not allowed and the status", async () => {
    const id = await aDraft(world);
    const params = { id };
    const answer = await world.call("downloadProtectedDocument", { params });
    expect(answer).toMatchObject({
      status: 409,
      body: { info_message: "Cannot download the protected PDF of the document: it is in document.draft" },
    });
    const sent = await aSentDocument(world);
    expect((await world.call("sendDocument", { params: { id: sent } })).body.info_message).toBe(
      "Cannot send the document: it is in document.sent",
    );
    for (const [act, words] of [
      ["decline", "Cannot decline the document"],
      ["review", "Cannot review the document"],
      ["fill", "Cannot fill in the document"],
      ["forward", "Cannot forward the document"],
      ["sign", "Cannot sign the document"],
      ["view", "Cannot open the document"],
    ]) {
      const refused = await world.admin(
        "POST",
        `/documents/${id}/simulate/${act}`,
        act === "forward" ? { to: { email: "x@y.example" } } : {},
      );
      expect([act, refused.status, JSON.stringify(refused.body)]).toEqual([act, 409, expect.stringContaining(words as string)]);
      expect(JSON.stringify(refused.body)).not.toMatch(/does not allow to|\b(?:change_cc|download_protected|change_signer)\b/);
    }
  });

  test.each([
    ["", "Expecting value: line 1 column 1 (char 0)"],
    ["{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"],
    ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
    ['{"a":}', "Expecting value: line 1 column 6 (char 5)"],
    ['{"a":1 "b":2}', "Expecting ',' delimiter: line 1 column 8 (char 7)"],
    ['{"a":1,}', "Expecting property name enclosed in double quotes: line 1 column 8 (char 7)"],
    ["[1,\n 2,\n]", "Expecting value: line 3 column 1 (char 8)"],
    ['{"a":"b', "Unterminated string starting at: line 1 column 6 (char 5)"],
    ['{"a":"\t"}', "Invalid control character at: line 1 column 7 (char 6)"],
    ['{"a":"\\x"}', "Invalid \\escape: line 1 column 7 (char 6)"],
    ['{"a":"\\u12"}', "Invalid \\uXXXX escape: line 1 column 8 (char 7)"],
    ["{} x", "Extra data: line 1 column 4 (char 3)"],
    ['{"a":[] "b":1}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
    ['{"a":{} "b":1}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
    ["[[],[] 1]", "Expecting ',' delimiter: line 1 column 8 (char 7)"],
    ['{"a":[1,]}', "Expecting value: line 1 column 9 (char 8)"],
    ['{"a":[[]}', "Expecting ',' delimiter: line 1 column 9 (char 8)"],
    ["[01]", "Expecting ',' delimiter: line 1 column 3 (char 2)"],
    ["[-]", "Expecting value: line 1 column 2 (char 1)"],
    ["nul", "Expecting value: line 1 column 1 (char 0)"],
  ])("the body %j is refused with a message that does not depend on the version of Node", async (body, reason) => {
    const text = body === "" ? " " : body;
    const answer = await world.request("POST", "/public/v1/contacts", { body: text });
    const expected = body === "" ? "Expecting value: line 1 column 2 (char 1)" : reason;
    expect(answer.body).toEqual({ type: "request_error", detail: `JSON parse error - ${expected}` });
  });
});
