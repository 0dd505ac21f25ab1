import type { Frame, Locator, Page } from "@playwright/test";
import * as z from "zod";
import { lazy, type Schema } from "../../engine/core/operation.ts";
import { nearest } from "../../engine/core/text.ts";
import { WALL_MS_MAX } from "../../engine/core/time-limits.ts";
import { SettingsError } from "../errors.ts";
import { checked, placed } from "./method.ts";
import type { Handles, SandboxDocument, SandboxField, SandboxRecipient } from "../types.ts";

/** A file for a field: a path, or a name with type and content. */
export type FieldFile = string | { name: string; mimeType: string; buffer: Buffer };

export interface SignOptions {
  /** Values by a field's name or merge field. A value is a text, a date, an option, true or false for a checkbox, or a file. */
  fields?: Readonly<Record<string, string | number | boolean | FieldFile>> | undefined;
  /** The passcode, for documents that ask for it. */
  passcode?: string | undefined;
  /** How long to wait for the page and its answer, in real milliseconds. Default: 10000. */
  timeout?: number | undefined;
  /** The sandbox or tenant of the document. Default: the fixture's sandbox. */
  sandbox?: (Handles & { readonly url?: string }) | undefined;
}

export interface DeclineOptions extends Omit<SignOptions, "fields"> {
  reason?: string | undefined;
}

export type Poll = <T>(read: () => Promise<T>, isEnd: (value: T) => boolean, timeout: number) => Promise<T>;

export interface Visit {
  method: "signAs" | "declineAs";
  page: Page;
  document: string | { readonly id: string };
  role: string;
  options: SignOptions & DeclineOptions;
  sandbox: Handles;
  url: string;
  poll: Poll;
}

const TIMEOUT_MS = 10_000;
const COMMON = () => ({
  passcode: z.string().min(1).optional(),
  timeout: z.number().min(1).max(WALL_MS_MAX).optional(),
  sandbox: z.custom((value) => typeof (value as Partial<Handles> | null)?.documents === "object", "must be a sandbox").optional(),
});
const OPTIONS: Readonly<Record<Visit["method"], { schema: Schema; sentence: string }>> = {
  signAs: {
    schema: lazy(() => z.strictObject({ ...COMMON(), fields: z.record(z.string(), fieldValue()).optional() })),
    sentence: 'the options are an object such as { fields: { Company: "Client Ltd" } }',
  },
  declineAs: {
    schema: lazy(() => z.strictObject({ ...COMMON(), reason: z.string().optional() })),
    sentence: 'the options are an object such as { reason: "Too dear" }',
  },
};
const fieldValue = () =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.object({ name: z.string(), mimeType: z.string(), buffer: z.instanceof(Uint8Array) }),
  ]);
const SIGNING_PATH = /^\/(s|document)\/[^/]+\/?$/;
const CHECK = '[data-testid="verification"]';
const MARKS: readonly string[] = ["signature", "initials", "stamp"];

export async function sign(visit: Visit): Promise<SandboxDocument> {
  const { document, recipient } = partiesOf(visit);
  const values = wantedValues(visit, document, recipient);
  return perform(
    visit,
    document,
    recipient,
    async (frame) => {
      for (const [field, value] of values) await fill(frame.locator(`[id="field-${field.uuid}"]`), field, value);
      await frame.locator('[data-testid="finish"]').click();
    },
    ({ recipients }) => recipients.some((one) => one.id === recipient.id && one.has_completed),
  );
}

export async function decline(visit: Visit): Promise<SandboxDocument> {
  const { document, recipient } = partiesOf(visit);
  return perform(
    visit,
    document,
    recipient,
    async (frame) => {
      const form = frame.locator('[data-testid="decline"]');
      await form.locator("summary").click();
      if (visit.options.reason !== undefined) await form.locator("textarea").fill(visit.options.reason);
      await form.locator('[data-testid="decline-send"]').click();
    },
    ({ status }) => status === "document.declined",
  );
}

/** A page may ask for a check again, because what a check allows ends after some time. */
const CHECKS_MAX = 3;
const PROBLEMS = '[data-testid="errors"], [data-testid="refusal"], .field.wrong';

/** Opens the page, acts on it, and waits until the document shows that. */
async function perform(
  visit: Visit,
  opened: SandboxDocument,
  recipient: SandboxRecipient,
  act: (frame: Frame) => Promise<void>,
  isDone: (document: SandboxDocument) => boolean,
): Promise<SandboxDocument> {
  const { method, options, sandbox, poll, role } = visit;
  const timeout = options.timeout ?? TIMEOUT_MS;
  const frame = await openPage(visit, opened, recipient, timeout);
  const read = async (): Promise<{ document?: SandboxDocument; problem?: string; asks?: boolean } | undefined> => {
    const document = sandbox.documents.get(opened.id);
    if (document && isDone(document)) return { document };
    if (frame.isDetached()) return undefined;
    // A page that loads right now has no answer yet.
    const problems = await frame
      .locator(PROBLEMS)
      .allTextContents()
      .catch(() => []);
    if (problems.length > 0) return { problem: problems.map(oneLine).join("; ") };
    return (await frame.locator(CHECK).count()) > 0 ? { asks: true } : undefined;
  };
  for (let left = CHECKS_MAX; ; left--) {
    await act(frame);
    const { document, problem, asks } = (await poll(read, (one) => one !== undefined, timeout)) ?? {};
    if (document) return document;
    if (problem !== undefined)
      throw new Error(
        `${method}: the signing page refuses: ${problem}${method === "signAs" ? ". Pass missing values in `fields`." : ""}`,
      );
    if (!asks) throw new Error(`${method}: the document did not change within ${timeout} ms after ${role} finished`);
    if (left === 0)
      throw new Error(`${method}: the page asks ${role} for a check after each of ${CHECKS_MAX + 1} attempts to finish`);
    await passCheck(visit, frame, timeout);
  }
}

/** @throws SettingsError */
function partiesOf({ method, page, document, role, options, sandbox }: Visit) {
  if (typeof page?.goto !== "function" || typeof page.frames !== "function")
    throw new SettingsError(`${method}: the first argument is a page of Playwright`);
  const { schema, sentence } = OPTIONS[method];
  try {
    checked(options, schema, sentence);
  } catch (error) {
    throw placed(method, error);
  }
  const id = typeof document === "string" ? document : document?.id;
  const found = typeof id === "string" ? sandbox.documents.get(id) : undefined;
  if (!found) throw new SettingsError(`${method}: the sandbox has no document ${JSON.stringify(id)}. Pass a document or its id.`);
  const recipient = found.recipients.find((one) => one.roles.includes(role) || one.role === role || one.email === role);
  if (!recipient)
    throw new SettingsError(
      `${method}: the document has no recipient ${JSON.stringify(role)}; it has ${found.recipients.map((one) => one.role || one.email).join(", ") || "none"}`,
    );
  return { document: found, recipient };
}

/** Opens the recipient's link in an empty page. The signing page may also be in a frame. */
async function openPage(visit: Visit, document: SandboxDocument, recipient: SandboxRecipient, timeout: number): Promise<Frame> {
  const { method, page, sandbox, url, role } = visit;
  const isSigning = (frame: Frame) => URL.canParse(frame.url()) && SIGNING_PATH.test(new URL(frame.url()).pathname);
  let frame = page.frames().find(isSigning);
  if (!frame && /^(about:blank|)$/.test(page.url())) {
    const link = new URL(sandbox.documents.link(document.id, role));
    await page.goto(`${url}${link.pathname}`, { timeout });
    frame = page.mainFrame();
  }
  frame ??= await page.waitForEvent("framenavigated", { predicate: isSigning, timeout }).catch(() => undefined);
  if (!frame)
    throw new Error(
      `${method}: the page ${page.url()} shows no signing page within ${timeout} ms, neither itself nor in a frame. Wait until your application opens it, or pass a new page: await context.newPage()`,
    );
  const main = frame.locator("main[data-document]");
  const other = `${CHECK}, [data-testid="stopped"], [data-testid="failed"]`;
  await main.or(frame.locator(other)).first().waitFor({ timeout });
  await passCheck(visit, frame, timeout);
  if ((await main.count()) === 0) throw new Error(`${method}: the signing page says: ${await textOf(frame.locator("main"))}`);
  const shown = [await main.getAttribute("data-document"), await main.getAttribute("data-recipient")];
  if (shown[0] !== document.id || shown[1] !== recipient.id)
    throw new Error(
      `${method}: the page shows ${shown[0] === document.id ? "the document to another recipient" : `the document ${shown[0]}`}, not ${JSON.stringify(document.name)} (${document.id}) to ${role}. Pass a new page: await context.newPage()`,
    );
  if ((await frame.locator('[data-testid="signing-form"]').count()) === 0)
    throw new Error(`${method}: ${role} cannot sign now: the document is ${document.status}`);
  return frame;
}

async function passCheck({ method, options }: Visit, frame: Frame, timeout: number): Promise<void> {
  const check = frame.locator(CHECK);
  if ((await check.count()) === 0) return;
  const kind = await check.getAttribute("data-kind");
  if (kind === "passcode" && options.passcode === undefined)
    throw new Error(`${method}: the document asks for a passcode. Pass it: { passcode: "…" }`);
  if (kind === "phone" || kind === "email")
    throw new Error(`${method}: the page asks for a code by ${kind}. Enter it before: sandbox.emails.find() has the message.`);
  if (kind === "passcode") await frame.locator("#answer").fill(options.passcode ?? "");
  await frame.locator('[data-testid="verify"]').click();
  await frame.locator('main[data-document], [data-testid="refusal"]').first().waitFor({ timeout });
  if ((await check.count()) > 0) throw new Error(`${method}: the signing page says: ${await textOf(frame.locator("main"))}`);
}

type Value = NonNullable<SignOptions["fields"]>[string];

/** Empty signatures and initials get the recipient's name. @throws SettingsError */
function wantedValues({ options }: Visit, document: SandboxDocument, recipient: SandboxRecipient): [SandboxField, Value][] {
  const ownFields = document.fields.filter((field) => field.recipient_id === recipient.id);
  const chosen = Object.entries(options.fields ?? {}).map(([name, value]): [SandboxField, Value] => {
    const field =
      ownFields.find((one) => one.name === name) ?? ownFields.find((one) => one.field_id === name || one.title === name);
    if (field) return [field, value];
    const names = ownFields.map((one) => one.name);
    const near = nearest(name, names);
    throw new SettingsError(
      `signAs: the recipient has no field ${JSON.stringify(name)}; ${near === undefined ? `there are ${names.join(", ") || "none"}` : `did you mean ${JSON.stringify(near)}?`}`,
    );
  });
  const isChosen = new Set(chosen.map(([field]) => field.uuid));
  const marks = ownFields.filter((field) => MARKS.includes(field.type) && !field.value && !isChosen.has(field.uuid));
  return [...chosen, ...marks.map((field): [SandboxField, Value] => [field, markOf(field, recipient)])];
}

function markOf({ type }: SandboxField, { first_name, last_name, email }: SandboxRecipient): string {
  const names = [first_name, last_name].filter((one) => one !== "");
  if (names.length === 0) return email ?? "Recipient";
  return type === "initials" ? names.map((one) => one.charAt(0)).join("") : names.join(" ");
}

async function fill(control: Locator, { name, type }: SandboxField, value: Value): Promise<void> {
  if (typeof value === "object" && type !== "collect_file")
    throw new SettingsError(`signAs: the field ${name} takes a text, not a file`);
  if (type === "collect_file") {
    await control.locator("input[type=file]").setInputFiles(value as FieldFile);
    return;
  }
  const text = String(value);
  if (type === "checkbox") await control.locator("input").setChecked(value === true || text === "true");
  else if (type === "radio_buttons") {
    const options = await control
      .locator("input")
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
    if (!options.includes(text))
      throw new SettingsError(`signAs: the field ${name} has no option ${text}; there are ${options.join(", ")}`);
    await control.locator("input").nth(options.indexOf(text)).check();
  } else if (type === "dropdown") await control.locator("select").selectOption(text);
  else if (MARKS.includes(type)) await control.locator("input.typed").fill(text);
  else await control.locator("input:not([type=hidden]), textarea").first().fill(text);
}

async function textOf(locator: Locator): Promise<string> {
  return oneLine((await locator.first().textContent()) ?? "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
