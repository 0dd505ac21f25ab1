/** Tests that nothing of the recorded account stays in a cassette. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCassette } from "../../../src/tools/compare/cassette.ts";
import { CassetteWriter } from "../../../src/tools/compare/cassette-writer.ts";
import { conversations, recorded, survivorsIn } from "../../support/planted-secrets.ts";
import { files } from "../../support/process.ts";
import { law } from "../../support/law.ts";

/** `npm run fuzz` makes 3000 conversations. */
const RUNS = process.env.FUZZ_SECONDS === undefined ? 80 : 3000;

describe("cassettes without secrets", () => {
  test("no secret of an account survives in any position of a conversation", { timeout: RUNS * 300 + 60_000 }, async () => {
    const folder = files();
    await law(
      fc.asyncProperty(conversations(), async (conversation) => {
        const text = await recorded(conversation, folder);
        expect(survivorsIn(text, conversation.planted)).toEqual([]);
        // The reader takes what the writer wrote.
        expect(readCassette(join(folder, "planted.cassette")).entries).toHaveLength(
          conversation.calls.length + conversation.events.length,
        );
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  const PLANTED = {
    name: "Zoe Quill",
    email: "zoe.quill@private-client.example",
    passcode: "7391",
    password: "hunter2",
    jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ6b2UifQ.c2lnbmF0dXJlLW9mLXpvZQ",
    base64: "dGhlLXNlY3JldC1rZXktb2Ytem9l",
    hex: "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B",
    phone: 491_701_234_567,
  };

  test("no secret stays: neither a short, a nested or an encoded one, nor one in a path, a part name or a number", async () => {
    const json = { "content-type": "application/json" };
    const body = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
    const { name, email, passcode, password, jwt, base64, hex, phone } = PLANTED;
    const call = (target: string, sent: unknown, status: number, got: unknown, headers: Record<string, string> = json) => ({
      request: { method: "POST", target, headers: { ...json, authorization: `Bearer ${jwt}` }, body: body(sent) },
      answer: { status, headers, body: body(got) },
    });
    const form = call("/public/v1/documents?upload", "", 201, {});
    const text = await recorded(
      {
        calls: [
          call(
            "/public/v1/documents",
            { name, recipients: [{ email, verification_settings: { passcode } }], metadata: { phone, password } },
            201,
            {
              id: "Vb6TqHk3NzPw8RxLm2YsCd",
              info_message: `${name} was told`,
              request_body: JSON.stringify({ note: `client_secret=${password}`, inner: JSON.stringify({ passcode }) }),
            },
          ),
          call("/public/v1/contacts/ann%40acme.io", { phone_number: phone }, 400, {
            type: "validation_error",
            detail: `${name} is unknown`,
          }),
          call("/public/v1/contacts", {}, 500, `<p>key ${hex} of ${name}: ${base64}</p>`, { "content-type": "text/html" }),
          {
            ...form,
            request: {
              ...form.request,
              headers: { "content-type": "multipart/form-data; boundary=b" },
              body: body(`--b\r\nContent-Disposition: form-data; name="${email}"\r\n\r\n${password}\r\n--b--\r\n`),
            },
          },
        ],
        events: [
          { id: "6b1d7c2e-4f3a-4c58-9e0d-1234567890ab", body: [{ event: name, data: { first_name: "Quill", name: email } }] },
        ],
        planted: [],
      },
      files(),
    );
    const all = [
      ...Object.values(PLANTED).map(String),
      "Quill",
      "private-client",
      "acme",
      "ann%40",
      "hunter",
      "7391",
      "Vb6TqHk3NzPw8RxLm2YsCd",
    ];
    expect(all.filter((one) => text.toLowerCase().includes(one.toLowerCase()))).toEqual([]);
    // The words of the service stay.
    for (const kept of ["recipients", "passcode", "info_message", "/public/v1/contacts/"]) expect(text).toContain(kept);
  });

  test.each(["a", "7", "on", "GET", "signer", "document.draft", "Client", "4711", "hunter2", "x".repeat(200)])(
    "the password %s is gone, whatever its length, also where it is a word of the service",
    async (password) => {
      const names = ["password", "passcode", "client_secret", "api_key", "shared_key", "access_token", "X-Api-Key", "myPassword"];
      const sent = Object.fromEntries(names.map((name) => [name, password]));
      const headers = { "content-type": "application/json" };
      const request = {
        method: "POST",
        target: `/public/v1/documents?password=${password}`,
        headers,
        body: Buffer.from(JSON.stringify({ ...sent, list: [sent] })),
      };
      const answer = { status: 200, headers, body: Buffer.from(JSON.stringify({ ...sent, text: JSON.stringify(sent) })) };
      const folder = files();
      await recorded(
        {
          calls: [
            { request, answer },
            { request, answer: { ...answer, status: 400 } },
          ],
          events: [],
          planted: [],
        },
        folder,
      );
      const { entries } = readCassette(join(folder, "planted.cassette"));
      const values: unknown[] = [];
      const collect = (value: unknown): void => {
        if (typeof value === "string" && value.startsWith("{")) collect(JSON.parse(value));
        else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
        else values.push(value);
      };
      for (const one of entries) if ("call" in one) collect([one.request.body, one.answer.body]);
      expect(values.length).toBe(8 * 8);
      expect(new Set(values)).toEqual(new Set(["secret-0000000002"]));
    },
  );

  test("a message stays where the double says it too, with replacements in it, and goes where only the service says it", async () => {
    const headers = { "content-type": "application/json" };
    const call = (detail: string) => ({
      request: {
        method: "POST",
        target: "/public/v1/documents",
        headers: { ...headers, authorization: "API-Key a valid key" },
        body: Buffer.from(
          JSON.stringify({
            name: "Offer",
            template_uuid: "TemplateOneSignerxxxxx",
            recipients: [{ email: "ann@acme.io", role: "Quillmaster" }],
          }),
        ),
      },
      answer: {
        status: 400,
        headers,
        body: Buffer.from(JSON.stringify({ type: "validation_error", detail: { non_field_errors: [detail] } })),
      },
    });
    const calls = [call("Role 'Quillmaster' does not exist"), call("The role of ann@acme.io is not Quillmaster's")];
    const text = await recorded({ calls, events: [], planted: [] }, files());
    expect([...text.matchAll(/"non_field_errors":\["(.*?)"\]/g)].map(([, shown]) => shown)).toEqual([
      "Role 'Text 1' does not exist",
      expect.stringMatching(/^Text \d+$/),
    ]);
    expect(text).toContain('"type":"validation_error"');
  });

  test("a cassette that would hold the key is refused at the end, and the file is gone", async () => {
    const file = join(files(), "leak.cassette");
    const key = "Client";
    const writer = await CassetteWriter.start({ file, realUrl: "https://api.service.test", keys: [key] });
    const headers = { "content-type": "application/json" };
    const request = {
      method: "POST",
      target: "/public/v1/documents",
      headers,
      body: Buffer.from('{"recipients":[{"role":"Client"}]}'),
    };
    await writer.call(request, { status: 200, headers, body: Buffer.from("{}") }, 0, "a valid key");
    await expect(writer.close()).rejects.toThrow(
      /leak\.cassette: docdouble did not keep the cassette, because it would contain a key/,
    );
    expect(existsSync(file)).toBe(false);
  });
});
