import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KEY, type TestWorld, testWorld, toAnswer } from "../support/world.ts";
import { hold, TIMEOUT_MS } from "./run.ts";
import { text } from "./values.ts";

/** A multipart form as raw bytes, with mistakes that no library would write. */
interface Form {
  boundary: string;
  /** The boundary in the content type, if it differs from `boundary`. */
  announced: string | undefined;
  parts: { headers: string[]; body: string }[];
  end: string;
  cut: number;
}

const BOUNDARIES = ["x", "-".repeat(69), "a b", '"', "x--", "", "b".repeat(71), "----WebKitFormBoundary7MA4YWxkTrZu0gW"];
const HEADERS = [
  'Content-Disposition: form-data; name="data"',
  "content-disposition:form-data;name=data",
  'Content-Disposition: form-data; name="file"; filename="a.pdf"',
  'Content-Disposition: form-data; name="file"; filename="../../x\\"y%22.pdf"; filename*=UTF-8\'\'%e2%82%ac.pdf',
  "Content-Disposition: form-data; name*=x; filename*=UTF-8''%zz",
  'Content-Disposition: form-data; name="__proto__"',
  "Content-Disposition: form-data",
  "Content-Type: application/pdf",
  "Content-Type: multipart/mixed; boundary=y",
  "Content-Transfer-Encoding: base64",
  "Content-Length: 3",
  `X: ${"y".repeat(20_000)}`,
  "no colon",
  "",
];
const BODIES = ['{"name":"x"}', '{"name":"x","recipients":[]}', "[", "%PDF-1.7", "", "\r\n--x\r\n", "\0", "JVBERi0="];

const part = fc.record({
  headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 }),
  body: fc.oneof(fc.constantFrom(...BODIES), text()),
});
const FORM: fc.Arbitrary<Form> = fc.record({
  boundary: fc.constantFrom(...BOUNDARIES),
  announced: fc.option(fc.constantFrom(...BOUNDARIES), { nil: undefined, freq: 4 }),
  parts: fc.array(part, { maxLength: 5 }),
  end: fc.constantFrom("--\r\n", "--", "\r\n", "", "--\r\nepilogue", "-"),
  cut: fc.oneof(fc.constant(0), fc.nat(200)),
});

function written({ boundary, parts, end, cut }: Form): Uint8Array<ArrayBuffer> {
  const texts = parts.map(({ headers, body }) => `--${boundary}\r\n${headers.join("\r\n")}\r\n\r\n${body}\r\n`);
  const all = Buffer.from(`${texts.join("")}--${boundary}${end}`);
  return new Uint8Array(all.subarray(0, Math.max(0, all.length - cut)));
}

async function send(world: TestWorld, boundary: string, body: Uint8Array<ArrayBuffer>) {
  const headers = {
    authorization: `API-Key ${KEY}`,
    "content-type": `multipart/form-data; boundary="${boundary.replace(/["\\]/g, "\\$&")}"`,
  };
  return toAnswer(await world.sandbox.fetch("/public/v1/documents?upload", { method: "POST", headers, body }));
}

describe("fuzz: createDocumentFromUpload", () => {
  test("a form of any bytes is accepted or refused with 400, and a refused form changes nothing", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const world = await testWorld();
    const ready = world.tenant.snapshot();
    let changed = false;
    world.tenant.eventStream.watch(() => {
      changed = true;
    });
    await hold(
      fc.asyncProperty(FORM, async (form) => {
        changed = false;
        const { status, body } = await send(world, form.announced ?? form.boundary, written(form));
        expect([201, 400], JSON.stringify(body)).toContain(status);
        if (status === 400) expect(changed).toBe(false);
        else world.tenant.restore(ready);
      }),
      150,
      0.2,
    );
  });
});
