/** Tests that nothing of the recorded account stays in a cassette. */
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { readCassette } from "../../../src/tools/compare/cassette-reader.ts";
import { CassetteWriter } from "../../../src/tools/compare/cassette-writer.ts";
import { Survivors } from "../../../src/tools/compare/leak-check.ts";
import { createSandbox } from "../../../src/library/sandbox.ts";
import { conversations, recorded, survivorsIn } from "../../support/planted-secrets.ts";
import { files } from "../../support/process.ts";
import { law } from "../../support/law.ts";

/** The test of a few hundred conversations. `npm run fuzz` makes 10,000. */
const RUNS = process.env.FUZZ_SECONDS === undefined ? 300 : 10_000;

describe("cassettes without secrets", () => {
  test("no secret of an account survives in any position of a conversation", { timeout: RUNS * 300 + 60_000 }, async () => {
    const double = await createSandbox({ seed: 1 });
    onTestFinished(() => double.close());
    const folder = files();
    law(
      fc.property(conversations(), (conversation) => {
        const text = recorded(conversation, double, folder);
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
    const double = await createSandbox({ seed: 1 });
    onTestFinished(() => double.close());
    const json = { "content-type": "application/json" };
    const body = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
    const { name, email, passcode, password, jwt, base64, hex, phone } = PLANTED;
    const call = (target: string, sent: unknown, status: number, got: unknown, headers: Record<string, string> = json) => ({
      request: { method: "POST", target, headers: { ...json, authorization: `Bearer ${jwt}` }, body: body(sent) },
      answer: { status, headers, body: body(got) },
    });
    const form = call("/public/v1/documents?upload", "", 201, {});
    const text = recorded(
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
      double,
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
    for (const kept of ["recipients", "passcode", "validation_error", "info_message", "/public/v1/contacts/"])
      expect(text).toContain(kept);
  });

  test.each(["a", "7", "on", "GET", "signer", "document.draft", "Client", "4711", "hunter2", "x".repeat(200)])(
    "the password %s is gone, whatever its length, also where it is a word of the service",
    async (password) => {
      const double = await createSandbox({ seed: 1 });
      onTestFinished(() => double.close());
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
      recorded(
        {
          calls: [
            { request, answer },
            { request, answer: { ...answer, status: 400 } },
          ],
          events: [],
          planted: [],
        },
        double,
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

  test("a message keeps small numbers, but no secret and no known number of three digits", async () => {
    const double = await createSandbox({ seed: 1 });
    onTestFinished(() => double.close());
    const headers = { "content-type": "application/json" };
    const call = (sent: object, detail: string) => ({
      request: { method: "POST", target: "/public/v1/contacts", headers, body: Buffer.from(JSON.stringify(sent)) },
      answer: { status: 400, headers, body: Buffer.from(JSON.stringify({ type: "validation_error", detail })) },
    });
    const message = (text: string) => `Ensure this field has no more than ${text} elements.`;
    const calls = [
      call({ passcode: "39", phone: "391", job_title: "12" }, message("39")),
      ...["391", "12", "255", "7391"].map((text) => call({}, message(text))),
    ];
    const text = recorded({ calls, events: [], planted: [] }, double, files());
    const details = [...text.matchAll(/no more than (\S+) elements/g)].map(([, shown]) => shown);
    expect(details).toEqual(["secret-0000000002", "901", "12", "255", "9001"]);
  });

  test("the final check reads no words of files, in a form or alone, because a cassette has only their hashes", () => {
    const headers = { "content-type": "application/pdf" };
    const form = { "content-type": "multipart/form-data; boundary=b" };
    const part = (disposition: string, text: string) =>
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
    const body = Buffer.from(
      `${part('name="file"; filename="Quillname.pdf"', "%PDF filewords")}${part('name="note"', "notewords")}--b--\r\n`,
    );
    const survivors = new Survivors([]);
    survivors.see(
      { method: "POST", target: "/public/v1/documents", headers: form, body },
      { status: 200, headers, body: Buffer.from("%PDF-1.4 answerwords \0") },
    );
    const left = (text: string) => survivors.in(JSON.stringify({ text }));
    expect(["filewords", "answerwords", "quillname", "notewords"].map(left)).toEqual([
      undefined,
      undefined,
      "quillname",
      "notewords",
    ]);
  });

  test("a cassette with a word of the account is refused at the end, and the file is gone", async () => {
    const double = await createSandbox({ seed: 1 });
    onTestFinished(() => double.close());
    const file = join(files(), "leak.cassette");
    const writer = new CassetteWriter({ file, realUrl: "https://api.service.test", realKey: "b3c1".repeat(10), double });
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", target: "/public/v1/contacts", headers, body: Buffer.from('{"first_name":"Zoequill"}') };
    writer.call(request, { status: 200, headers, body: Buffer.from("{}") }, 0);
    appendFileSync(file, '{"call":"createContact","note":"for Zoequill"}\n');
    expect(() => writer.close()).toThrow(
      /leak\.cassette: docdouble did not keep the cassette, because line 3 would contain a word of the account \(zo…, 8 characters\)/,
    );
    expect(existsSync(file)).toBe(false);
  });

  test.each<[string, object]>([
    ["a short passcode", { passcode: "7391" }],
    ["a passcode as a number", { passcode: 7391 }],
    ["a password in nested JSON", { request_body: JSON.stringify({ password: "hunter2" }) }],
    ["a secret in a form", { text: "grant_type=x&client_secret=abc" }],
    ["a JWT", { text: `Bearer ${PLANTED.jwt}` }],
    ["a key in upper-case hexadecimal", { text: PLANTED.hex }],
    ["an escaped address", { path: "/public/v1/contacts/ann%40acme.io" }],
    ["an address as a name", { "ann@acme.io": 1 }],
  ])("a cassette from elsewhere with %s is refused", (_, body) => {
    const entry = {
      call: "x",
      at: 0,
      request: { method: "GET", path: "/public/v1/contacts", credentials: "key" },
      answer: { status: 200, body: { json: body } },
    };
    const file = files({ "found.cassette": `{"cassette":1,"by":"hand"}\n${JSON.stringify(entry)}\n` });
    expect(() => readCassette(file)).toThrow(/:2: the cassette contains (?:a secret|a key or token|the email address)/);
  });
});
