/** Tests `signAs` and `declineAs` on the real signing page: opened by its link, in a frame, and inside the official library. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Page } from "playwright-core";
import { createSandbox, type Sandbox } from "../../../src/index.ts";
import { type DeclineOptions, decline, type Poll, type SignOptions, sign } from "../../../src/library/kit/signing-page.ts";
import { within } from "../../support/patience.ts";
import { files } from "../../support/process.ts";
import { aPage, embed, useBrowser } from "../../support/browser.ts";
import { aLibraryPage } from "../../support/official-libraries.ts";

useBrowser();

const PAT = { email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" };
const ALL_FIELDS = {
  Company: "Client Ltd",
  Agree: true,
  Since: "2026-03-01",
  Plan: "Large",
  Colour: "Green",
  Note: "Two\nlines",
};

/** Each kind of field, all required. */
const MANY = {
  name: "Many fields",
  roles: [{ name: "Client" }, { name: "Director" }],
  fields: [
    { name: "Company", type: "text", role: "Client" },
    { name: "Agree", type: "checkbox", role: "Client" },
    { name: "Since", type: "date", role: "Client" },
    { name: "Plan", type: "dropdown", role: "Client", options: ["Small", "Large"] },
    { name: "Colour", type: "radio_buttons", role: "Client", options: ["Red", "Green"] },
    { name: "Note", type: "text", role: "Client" },
    { name: "Initials", type: "initials", role: "Client" },
    { name: "Signature", type: "signature", role: "Client" },
    { name: "Approved", type: "signature", role: "Director" },
  ],
} as const;

async function aSandbox(): Promise<Sandbox> {
  const sandbox = await createSandbox({ port: 0, seed: 7, clock: "frozen" });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const sent = (sandbox: Sandbox, template = "One signer", others: { email: string; role: string }[] = []) =>
  sandbox.documents.create({ template, name: "Offer 42", status: "document.sent", recipients: [PAT, ...others] });

const poll: Poll = async (read, isEnd, timeout) => {
  let last = await read();
  const isAtEnd = async () => {
    last = await read();
    return isEnd(last);
  };
  await expect
    .poll(isAtEnd, { timeout })
    .toBe(true)
    .catch(() => {});
  return last;
};

type Target = Parameters<typeof sign>[0]["document"];

function visit(sandbox: Sandbox, page: Page, document: Target, role: string, options: SignOptions & DeclineOptions) {
  return { page: page as never, document, role, options: { timeout: within(5000), ...options }, sandbox, url: sandbox.url, poll };
}
const signAs = (sandbox: Sandbox, page: Page, document: Target, role = "Client", options: SignOptions = {}) =>
  sign({ method: "signAs", ...visit(sandbox, page, document, role, options) });
const declineAs = (sandbox: Sandbox, page: Page, document: Target, role = "Client", options: DeclineOptions = {}) =>
  decline({ method: "declineAs", ...visit(sandbox, page, document, role, options) });

async function sessionOf(sandbox: Sandbox, id: string): Promise<string> {
  const answer = await sandbox.fetch(`/public/v1/documents/${id}/session`, {
    method: "POST",
    headers: { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ recipient: PAT.email }),
  });
  return ((await answer.json()) as { id: string }).id;
}

describe("signAs", () => {
  test("opens the recipient's link, fills in every kind of field, and types the name as the signature", async () => {
    const sandbox = await aSandbox();
    sandbox.templates.create(MANY as never);
    const { id } = await sent(sandbox, "Many fields", [{ email: "dee@client.example", role: "Director" }]);
    const signed = await signAs(sandbox, await aPage(), id, "Client", { fields: ALL_FIELDS });
    const values = Object.fromEntries(signed.fields.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({ ...ALL_FIELDS, Since: expect.stringContaining("2026-03-01"), Note: "Two lines" });
    expect(JSON.stringify([values.Initials, values.Signature])).toMatch(/PL.*Pat Lee/);
    expect(signed.recipients.map((one) => one.has_completed)).toEqual([true, false]);
    expect(sandbox.journal.find({ operation: "signingPage" }).length).toBeGreaterThan(1);
    const directed = await signAs(sandbox, await aPage(), signed, "Director");
    expect(directed.status).toBe("document.completed");
  });

  test("finds the signing page in a frame, and inside the official library", async () => {
    const sandbox = await aSandbox();
    const [framed, inLibrary] = [await sent(sandbox), await sent(sandbox)];
    const fields = { Company: "Client Ltd", Agree: true };
    const { page } = await embed(`${sandbox.url}/s/${await sessionOf(sandbox, framed.id)}`);
    expect((await signAs(sandbox, page, framed, "Client", { fields })).status).toBe("document.completed");
    const config = { sessionId: await sessionOf(sandbox, inLibrary.id), width: 900, height: 700 };
    const library = await aLibraryPage(
      `makeSigning(${JSON.stringify(config)}, { host: ${JSON.stringify(`${sandbox.url}/pm/`)} }); window.library.open()`,
    );
    expect((await signAs(sandbox, library.page, inLibrary, PAT.email, { fields })).status).toBe("document.completed");
    await library.hears("document.completed");
  });

  test("errors repeat the message of the page and name a fix", async () => {
    const sandbox = await aSandbox();
    const document = await sent(sandbox);
    const [page, other] = [await aPage(), await sent(sandbox)];
    await expect(signAs(sandbox, page, document)).rejects.toThrow(
      /signAs: the signing page refuses: .*Company.*This field is required.*Pass missing values in `fields`/,
    );
    await expect(signAs(sandbox, page, other)).rejects.toThrow(/the page shows the document \w+, not "Offer 42"/);
    await page.goto(`${sandbox.url}/`);
    await expect(signAs(sandbox, page, document, "Client", { timeout: 50 })).rejects.toThrow(
      /shows no signing page within 50 ms.*pass a new page: await context\.newPage\(\)/,
    );
    const mistakes: [() => Promise<unknown>, string | RegExp][] = [
      [() => signAs(sandbox, page, document, "Clientt"), 'signAs: the document has no recipient "Clientt"; it has Client'],
      [() => signAs(sandbox, page, "nothing"), 'signAs: the sandbox has no document "nothing". Pass a document or its id.'],
      [() => signAs(sandbox, {} as Page, document), "signAs: the first argument is a page of Playwright"],
      [
        () => signAs(sandbox, page, document, "Client", { field: {} } as never),
        'signAs: unknown name "field"; did you mean "fields"?',
      ],
      [() => declineAs(sandbox, page, document, "Client", { fields: {} } as never), 'declineAs: unknown name "fields"'],
    ];
    for (const [run, message] of mistakes) await expect(run()).rejects.toThrow(message);
    const fresh = await aPage();
    await expect(signAs(sandbox, fresh, document, "Client", { fields: { Compny: "x" } })).rejects.toThrow(
      'did you mean "Company"?',
    );
    sandbox.documents.simulate(document.id, "sign");
    await expect(signAs(sandbox, await aPage(), document)).rejects.toThrow(
      "signAs: Client cannot sign now: the document is document.completed",
    );
    expect(() => sandbox.documents.link(document.id, "Nobody")).toThrow(
      'documents.link: the document has no recipient "Nobody"; it has Client, pat@client.example',
    );
  });
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PASSCODE = "abc1234";
const withPasscode = (sandbox: Sandbox, verification_place: "before_open" | "before_sign", template = "One signer") =>
  sandbox.documents.create({
    template,
    status: "document.sent",
    recipients: [
      { ...PAT, verification_settings: { verification_place, passcode_verification: { passcode: PASSCODE } } },
    ] as never,
  });

describe("files and passcodes", () => {
  test("signAs uploads files by content and by path, and fills stamps with a name or the given text", async () => {
    const sandbox = await aSandbox();
    sandbox.templates.create({
      name: "Files",
      roles: [{ name: "Client" }],
      fields: [
        { name: "Licence", type: "collect_file", role: "Client", required: true },
        { name: "Photo", type: "collect_file", role: "Client", required: true },
        { name: "Stamp", type: "stamp", role: "Client", required: true },
        { name: "Seal", type: "stamp", role: "Client", required: true },
        { name: "Count", type: "text", role: "Client" },
        { name: "Agree", type: "checkbox", role: "Client", required: false },
      ],
    } as never);
    const document = await sent(sandbox, "Files");
    const photo = join(files(), "photo.png");
    writeFileSync(photo, PNG);
    const fields = {
      Licence: { name: "licence.txt", mimeType: "text/plain", buffer: Buffer.from("No. 4711") },
      Photo: photo,
      Seal: "Paid",
      Count: 12,
      Agree: false,
    };
    const signed = await signAs(sandbox, await aPage(), document, "Client", { fields });
    const values = Object.fromEntries(signed.fields.map(({ name, value }) => [name, value]));
    expect(signed.status).toBe("document.completed");
    expect(values).toMatchObject({ Licence: { name: "licence.txt" }, Photo: { name: "photo.png" }, Count: "12" });
    expect(JSON.stringify(values.Stamp)).toContain("Pat Lee");
    expect(JSON.stringify(values.Seal)).toContain("Paid");
    const file = await fetch((values.Licence as unknown as { url: string }).url);
    expect([file.status, await file.text()]).toEqual([200, "No. 4711"]);
  });

  test.each(["before_open", "before_sign"] as const)("signAs enters a passcode %s", async (place) => {
    const sandbox = await aSandbox();
    const fields = { Company: "Client Ltd", Agree: true };
    const document = await withPasscode(sandbox, place);
    await expect(signAs(sandbox, await aPage(), document, "Client", { fields })).rejects.toThrow(
      'signAs: the document asks for a passcode. Pass it: { passcode: "…" }',
    );
    await expect(signAs(sandbox, await aPage(), document, "Client", { fields, passcode: "wrong99" })).rejects.toThrow(
      /^signAs: the signing page says: .*[Pp]asscode/,
    );
    const signed = await signAs(sandbox, await aPage(), document, "Client", { fields, passcode: PASSCODE });
    expect([signed.status, signed.fields.find(({ name }) => name === "Company")?.value]).toEqual([
      "document.completed",
      "Client Ltd",
    ]);
  });

  test("declineAs enters the passcode too, and declines with or without a reason", async () => {
    const sandbox = await aSandbox();
    const declined = await declineAs(sandbox, await aPage(), await withPasscode(sandbox, "before_open"), "Client", {
      reason: "Too dear",
      passcode: PASSCODE,
    });
    expect(declined.status).toBe("document.declined");
    expect(
      sandbox.emails
        .find({ kind: "declined", document_id: declined.id })
        .map(({ text }) => text)
        .join(),
    ).toContain("Too dear");
    const plain = await declineAs(sandbox, await aPage(), await sent(sandbox));
    expect(plain.status).toBe("document.declined");
  });
});
