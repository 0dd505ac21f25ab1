/**
 * Misuse of options: a wrong value for an option is refused at once, and the message names the option and its accepted values.
 * The types require a wrong value for each option, so a new option without one does not compile.
 */
import { describe, expect, test } from "vitest";
import { createSandbox, explore, type ExploreOptions } from "../../src/index.ts";
import { intercept, type InterceptOptions } from "../../src/intercept.ts";
import {
  assertClean,
  assertDelivered,
  assertDocument,
  assertMailed,
  assertReceived,
  assertReceivedEvent,
} from "../../src/node-test.ts";
import type { CleanOptions, Delivered, ExpectedDocument, InboxEvent, Mailed, Received } from "../../src/node-test.ts";
import { type DeclineOptions, decline, type SignOptions, sign } from "../../src/library/kit/signing-page.ts";
import { handlers } from "../../src/msw.ts";
import type {
  AutoClock,
  CallFaultOptions,
  EventMatch,
  NewDocument,
  NewSubscription,
  ReceiverOptions,
  RecipientFaultOptions,
  SandboxOptions,
  WebhookFaultOptions,
} from "../../src/library/types.ts";
import { id, inbox, openMisuseSandbox, sandbox } from "./misuse-sandbox.ts";
import { refusal } from "../support/refusal.ts";

openMisuseSandbox();

/** A wrong value for each option of `T`, with a part of the expected message. */
type Wrong<T> = { readonly [Name in keyof T]-?: readonly [value: unknown, message: string] };
type Group = [name: string, call: (options: object) => unknown, wrong: Readonly<Record<string, readonly [unknown, string]>>];

function group<T>(name: string, call: (options: never) => unknown, wrong: Wrong<T>): Group {
  return [name, call as Group[1], wrong as never];
}

const A_TEXT = "must be a text, not 5";
const A_MAP = "must be a map, not 5";
const A_LIST = "must be a list, not 5";
const COUNT = (name: string): readonly [unknown, string] => [-1, `${name} is a whole number from 0 on, not -1`];
const TIMES = { times: COUNT("times"), atLeast: COUNT("atLeast"), atMost: COUNT("atMost") };
/** The part of Playwright's options that the checks read. */
const page = { goto() {}, frames: () => [] } as never;
const visit = { page, role: "Client", url: "", poll: async () => ({}) as never };
const isText = (name: string): readonly [unknown, string] => [5, `${name} is a text, not 5`];

const GROUPS: readonly Group[] = [
  group<SandboxOptions>("createSandbox", createSandbox, {
    port: [70_000, "the option port is a number from 0 to 65535, where 0 picks a free port, not 70000"],
    host: ["", 'the option host is a text such as 127.0.0.1, not ""'],
    publicUrl: ["docs", "The option publicUrl, docs, is not a web address. Use one such as https://docs.example.com."],
    scenario: [5, "the option scenario is the name of a scenario file, the value of one, or a list of them, not 5"],
    fixtures: [null, "the option fixtures is the name of a fixtures file, or the value of one, not null"],
    seed: [{}, "the option seed is a number or a text, not {}"],
    clock: ["fast", "the option clock is one of real, frozen, auto, or { mode:"],
    clockSpeed: ["2", 'the option clockSpeed: Cannot set the clock\'s speed to "2". Use a number from 0.001 to 1000000.'],
    now: ["noon", 'the option now: "noon" is not an ISO 8601 instant.'],
    data: ["/nowhere/data.json", "cannot use the data file /nowhere/data.json: ENOENT"],
    world: ["/nowhere/shop.world", "cannot read the world /nowhere/shop.world: ENOENT."],
    assume: [{ "no.such": 1 }, "There is no switchable assumption no.such."],
    profile: ["loose", 'the option profile is one of default, strict, not "loose"'],
    oauth: [true, "the option oauth is one of auto, interactive, not true"],
    webhookTimeout_ms: [0, "the option webhookTimeout_ms is milliseconds from 1 to 2147483647, not 0"],
    allowPrivateTargets: [1, "the option allowPrivateTargets is true or false, not 1"],
    adminToken: [
      " a",
      'the option adminToken is a text of at most 1000 printable ASCII characters, without a space at its ends, not " a"',
    ],
    journalMax: [0, "the option journalMax is a whole number from 1, not 0"],
    tenantsMax: [0, "the option tenantsMax is a whole number from 1, not 0"],
    strict: [1, "the option strict is true or false, not 1"],
    onCall: [{}, "the option onCall is a function, not {}"],
    onBug: [5, "the option onBug is a function, not 5"],
    onNotice: [5, "the option onNotice is a function, not 5"],
  }),
  group<AutoClock>("createSandbox", (clock: object) => createSandbox({ clock: { mode: "auto", ...clock } }), {
    mode: ["slow", 'the option clock: mode is one of real, frozen, auto, not "slow"'],
    idle: [-1, "the option clock: idle is real milliseconds from 0 to 60000, not -1"],
    poll: ["often", 'the option clock: poll is a duration such as 1s: "often" is not a duration.'],
  }),
  group<NewDocument>("documents.create", (one: NewDocument) => sandbox.documents.create(one), {
    template: ["One sinner", 'there is no template "One sinner"; did you mean "One signer"?'],
    name: ["", 'name: must have at least 1 character, not ""'],
    status: ["sent", 'status: "sent" is unknown; did you mean "document.sent"? It must be one of document.draft'],
    recipients: [[{ email: "pat" }], "recipients.0.email: must be an email address such as pat@client.example"],
    fields: [5, `fields: ${A_MAP}`],
    tokens: [{ A: 5 }, `tokens.A: ${A_TEXT}`],
    metadata: [5, `metadata: ${A_MAP}`],
    tags: [5, `tags: ${A_LIST}`],
    folder: ["none", "no document folder none in this workspace"],
    sendAt: ["1d", "sendAt needs the status document.scheduled; the status is document.draft"],
  }),
  group<NewSubscription>(
    "webhooks.subscribe",
    (one: object) => sandbox.webhooks.subscribe({ url: "http://127.0.0.1:1/", ...one }),
    {
      url: ["ftp://x", "use https; http works only on this machine or in a private network"],
      events: [["signed"], "events.0: must be one of recipient_completed"],
      name: [5, `name: ${A_TEXT}`],
      payload: [["all"], "payload.0: must be one of metadata, fields, products, tokens, pricing"],
      sharedKey: ["", "sharedKey: must have at least 1 character"],
    },
  ),
  group<ReceiverOptions>("webhooks.receiver", (one: ReceiverOptions) => sandbox.webhooks.receiver(one), {
    events: [[], "events: must have at least 1 entry, not []"],
    payload: ["fields", 'payload: must be a list, not "fields"'],
    name: [5, `name: ${A_TEXT}`],
    sharedKey: [5, `sharedKey: ${A_TEXT}`],
    port: [70_000, "port: must be 65535 or less, not 70000"],
    deduplicate: ["yes", 'deduplicate: must be true or false, not "yes"'],
    handler: ["log", 'handler: must be a function that takes a Request, not "log"'],
  }),
  group<EventMatch>("inbox.next", (one: EventMatch) => inbox.next(undefined, one, { timeout: 0 }), {
    status: ["sent", 'status: "sent" is unknown; did you mean "document.sent"?'],
    document_id: [5, `document_id: ${A_TEXT}`],
    name: [5, `name: ${A_TEXT}`],
    recipient: [5, `recipient: ${A_TEXT}`],
  }),
  group<CallFaultOptions>("faults.next", (one: CallFaultOptions) => sandbox.faults.next("sendDocument", "throttled", one), {
    times: [0, "times: must be 1 or more, not 0"],
    document: [5, `document: ${A_TEXT}`],
    retryAfter: ["soon", 'retryAfter: "soon" is not a duration.'],
    delay: ["1s", 'unknown name "delay"; there are times, document, undeclared, retryAfter, detail'],
    for: ["1s", 'unknown name "for"'],
    detail: [5, `detail: ${A_TEXT}`],
    patch: [5, 'unknown name "patch"'],
    until: [5, 'unknown name "until"'],
    undeclared: ["yes", 'undeclared: must be true or false, not "yes"'],
  }),
  group<WebhookFaultOptions>("faults.next", (one: object) => sandbox.faults.next("document_state_changed", "webhook_late", one), {
    times: [1.5, "times: must be a whole number, not 1.5"],
    document: [5, `document: ${A_TEXT}`],
    status: ["sent", 'status: "sent" is unknown; did you mean "document.sent"? It must be one of document.draft'],
    delay: [5, `delay: ${A_TEXT}`],
    after: ["document_updated", 'unknown name "after"'],
  }),
  group<RecipientFaultOptions>("faults.next", (one: object) => sandbox.faults.next("Client", "recipient_declines", one), {
    times: ["2", 'times: must be a number, not "2"'],
    document: ["", "document: must have at least 1 character"],
    delay: ["soon", 'delay: "soon" is not a duration.'],
    reason: [5, `reason: ${A_TEXT}`],
    to: [{ email: "pat" }, 'unknown name "to"'],
  }),
  group<InterceptOptions>("intercept", (one: InterceptOptions) => intercept(sandbox, one), {
    hosts: [["https://api.pandadoc.com"], "hosts takes bare host names such as api.pandadoc.com, not"],
  }),
  group<InterceptOptions>("msw handlers", (one: InterceptOptions) => handlers(sandbox, one), {
    hosts: [[], "hosts is a list of host names such as api.pandadoc.com"],
  }),
  group<Received>("assertReceived", (one: Received) => assertReceived(sandbox, "sendDocument", one), {
    ...TIMES,
    body: [{ toJSON: null }, "expected at least 1 call of sendDocument"],
    query: [5, "query is a map, not 5"],
    headers: [5, "headers is a map, not 5"],
    status: [true, "status is a number or a matcher, not true"],
    document_id: isText("document_id"),
    path: [{ regex: "(" }, 'The regular expression "(" is invalid'],
    method: ["GETT", "method: "],
    document: [{ naem: "x" }, "unknown document member"],
    tool: [{ contans: "x" }, "contains"],
  }),
  group<Delivered>("assertDelivered", (one: Delivered) => assertDelivered(sandbox, "document_state_changed", one), {
    ...TIMES,
    document_id: isText("document_id"),
    status: ["sent", "there is no status sent; did you mean document.sent?"],
    state: ["lost", "there is no state lost; there are pending, delivered"],
    signature: ["right", "there is no signature right; there are valid"],
    attempts: ["2", 'attempts is a number, not "2"'],
    url: isText("url"),
    data: [{ none: 1 }, "data.none: expected 1, was nothing"],
  }),
  group<InboxEvent>("assertReceivedEvent", (one: InboxEvent) => assertReceivedEvent(inbox, "document_state_changed", one), {
    ...TIMES,
    document_id: isText("document_id"),
    status: ["sent", "there is no status sent"],
    name: isText("name"),
    recipient: isText("recipient"),
    signature: ["old_key", "there is no signature old_key; there are valid, invalid, missing"],
    duplicate: ["no", 'duplicate is true or false, not "no"'],
    data: [{ none: 1 }, "expected at least 1 event document_state_changed"],
  }),
  group<ExpectedDocument>("assertDocument", (one: ExpectedDocument) => assertDocument(sandbox, one), {
    ...TIMES,
    id: isText("id"),
    name: isText("name"),
    status: ["sent", "there is no status sent; did you mean document.sent?"],
    template: isText("template"),
    recipients: [{}, "recipients is a list, not {}"],
    fields: ["x", 'fields is a map, not "x"'],
    metadata: [[], "metadata is a map, not []"],
    tokens: [5, "tokens is a map, not 5"],
    tags: ["a", 'tags is a list, not "a"'],
  }),
  group<Mailed>("assertMailed", (one: Mailed) => assertMailed(sandbox, "client@client.example", one), {
    ...TIMES,
    subject: isText("subject"),
    text: isText("text"),
    kind: ["invitation", "there is no kind invitation; there are sent"],
    channel: ["fax", "there is no channel fax; there are email, sms"],
    document_id: isText("document_id"),
    to_name: isText("to_name"),
    link: [5, "link is a text or null, not 5"],
  }),
  group<CleanOptions>("assertClean", (one: CleanOptions) => assertClean(sandbox, one), {
    except: [["role"], "there is no kind of finding role"],
  }),
  group<SignOptions>("signAs", (options: never) => sign({ ...visit, method: "signAs", document: id, options, sandbox }), {
    fields: [{ Company: null }, "fields.Company: must be a text or a number or true or false"],
    passcode: [1234, "passcode: must be a text, not 1234"],
    timeout: [0, "timeout: must be 1 or more, not 0"],
    sandbox: ["x", "sandbox: must be a sandbox"],
  }),
  group<DeclineOptions>(
    "declineAs",
    (options: never) => decline({ ...visit, method: "declineAs", document: id, options, sandbox }),
    {
      reason: [5, `reason: ${A_TEXT}`],
      passcode: ["", "passcode: must have at least 1 character"],
      timeout: ["5s", 'timeout: must be a number, not "5s"'],
      sandbox: [5, "sandbox: must be a sandbox"],
    },
  ),
  group<ExploreOptions>("explore", (options: ExploreOptions) => explore(async () => {}, options), {
    budget: ["long", 'the option budget: "long" is not a duration.'],
    runs: [0, "the option runs is a whole number from 1, not 0."],
    seed: [{}, "the option seed is a number or a text, not {}."],
    shard: ["3/2", 'explore: the option shard is a part such as 1/3, and not "3/2".'],
    jobs: [1.5, "the option jobs is a whole number from 1, not 1.5."],
    only: [5, "the option only takes patterns such as throttled"],
    skip: [[5], "the option skip takes patterns such as"],
    allowFailure: [{}, "the option allowFailure takes patterns such as"],
    impossible: [1, "the option impossible is true or false, not 1."],
    out: ["", 'the option out is the name of a folder, or false, not "".'],
    pairs: [1, "the option pairs is true or false, not 1."],
    reduce: [1, "the option reduce is true or false, not 1."],
    runTimeout: [0, "the option runTimeout is real milliseconds from 1, not 0."],
    signal: [{}, "the option signal is an AbortSignal, not {}."],
    onProgress: [5, "the option onProgress is a function, not 5."],
    scenario: [5, "the option scenario is the name of a scenario file"],
    fixtures: [5, "the option fixtures is the name of a fixtures file"],
    assume: [5, "the option assume is a map of ids and readings"],
    profile: ["loose", "the option profile is one of default, strict"],
    now: ["noon", 'the option now: "noon" is not an ISO 8601 instant.'],
    invariant: [5, "the option invariant is a function, not 5."],
    throwOnBreak: [1, "the option throwOnBreak is true or false, not 1."],
  }),
];

describe("options", () => {
  const rows = GROUPS.flatMap(([name, call, wrong]) =>
    Object.entries(wrong).map(([option, [value, message]]) => [name, option, value, message, call] as const),
  );

  test.each(rows)("%s refuses the %s %j: %s", async (name, option, value, message, call) => {
    const text = await refusal(() => call({ [option]: value }));
    expect(text).toContain(message);
    // A matcher that compares a value of the test names the value that it expected instead.
    if (name !== "createSandbox" && !text.startsWith("expected ")) expect(text.startsWith(name)).toBe(true);
  });

  test.each(GROUPS.map(([name, call, wrong]) => [name, Object.keys(wrong)[0] ?? "", call] as const))(
    "%s refuses an option beside %s that it does not have, and what is not an object",
    async (_, option, call) => {
      expect(await refusal(() => call({ [`${option}s_`]: 1 }))).toMatch(/there is no|unknown name/);
      expect(await refusal(() => call("x" as never))).not.toBe("nothing was refused");
    },
  );
});

test.each(["", "caf\u00e9", "two\nlines", "x".repeat(1001)])(
  "an admin token that no header can carry is refused: %j",
  async (adminToken) => {
    await expect(createSandbox({ adminToken })).rejects.toThrow(
      "the option adminToken is a text of at most 1000 printable ASCII",
    );
  },
);

test.each(["http://docs.example/a b", "http://docs.example/\u0001"])(
  "a public address that no header can carry is refused: %j",
  async (publicUrl) => {
    await expect(createSandbox({ publicUrl })).rejects.toThrow("is not a web address");
  },
);
