/**
 * Misuse of methods: a wrong call is refused at once, and the message names the method, the problem and the correct call.
 * The types require a row for each method with parameters, so a new method without a row does not compile.
 */
import { describe, expect, test } from "vitest";
import { createSandbox, explore, type Handles, type Sandbox } from "../../src/index.ts";
import { intercept } from "../../src/intercept.ts";
import { assertReceived } from "../../src/node-test.ts";
import { decline, sign } from "../../src/library/kit/signing-page.ts";
import { handlers } from "../../src/msw.ts";
import { id, inbox, openMisuseSandbox, sandbox } from "./misuse-sandbox.ts";
import { refusal } from "../support/refusal.ts";
import "../../src/vitest.ts";

openMisuseSandbox();

/** The arguments, and the message, which begins with the name of the method. `ID` stands for a document. */
type Row = readonly [args: readonly unknown[], message: string];
type MethodPath<T, Prefix extends string = ""> = {
  [Name in keyof T & string]: T[Name] extends (...args: never[]) => unknown
    ? `${Prefix}${Name}`
    : T[Name] extends readonly unknown[]
      ? never
      : T[Name] extends object
        ? MethodPath<T[Name], `${Prefix}${Name}.`>
        : never;
}[keyof T & string];
type MethodName = MethodPath<Omit<Sandbox, symbol>>;
type At<T, Path> = Path extends `${infer Group}.${infer Rest}`
  ? Group extends keyof T
    ? At<T[Group], Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never;
type RowsOf<F> = F extends (...args: infer Args) => unknown
  ? Args["length"] extends 0
    ? readonly []
    : readonly [Row, ...Row[]]
  : never;

/** They work after the end. All others change something, and fail. */
const READS: readonly MethodName[] = [
  ...(["clock.now", "clock.settle", "rules.pending", "journal.all", "journal.find", "journal.count", "journal.nearest"] as const),
  ...(["webhooks.rules.pending", "webhooks.deliveries", "lint", "documents.all", "documents.get", "documents.link"] as const),
  ...(["emails.all", "emails.find", "faults.pending", "scenarios.names", "scenarios.verify", "snapshot", "har"] as const),
  ...(["world.save", "verify", "files", "close"] as const),
];
/** They return a promise. */
const WAITS: readonly MethodName[] = [
  ...(["clock.advance", "webhooks.receiver", "documents.create", "scenarios.load", "world.load", "fetch"] as const),
];

const ID = Symbol("the id of a document");
const SEE_DOCUMENTS = "documents.all() lists them";
const A_DOCUMENT = "the document is a text such as";

const MISUSE: { readonly [Name in MethodName]: RowsOf<At<Sandbox, Name>> } = {
  "clock.now": [],
  "clock.advance": [
    [[], 'Give one of by, to and until, such as {"by": "3d"}'],
    [[Number.NaN], "Cannot advance the clock by NaN. Use whole milliseconds from 0 up, or a duration such as 3d."],
    [["soon"], '"soon" is not a duration. Write 250ms, 3s, 5m, 2h or 5d.'],
    [[-1], "Cannot advance the clock by -1: it only moves forward."],
    [[{ tp: "3d" }], 'unknown name "tp"; did you mean "to"?'],
    [[{ to: {} }], "{} is not an ISO 8601 instant. Write one such as 2026-03-02T09:00:00Z."],
    [[{ until: "later" }], "until: must be one of next, idle"],
  ],
  "clock.set": [
    [[], 'the changes are an object such as { mode: "frozen" }, not nothing'],
    [["frozen"], 'the changes are an object such as { mode: "frozen" }, not "frozen"'],
    [[{ mdoe: "frozen" }], 'unknown name "mdoe"; did you mean "mode"?'],
    [[{ mode: "slow" }], "mode: must be one of real, frozen, auto"],
    [[{ now: "noon" }], '"noon" is not an ISO 8601 instant.'],
    [[{ speed: 0 }], "Cannot set the clock's speed to 0. Use a number from 0.001 to 1000000."],
  ],
  "clock.stopAt": [
    [[], 'the moment is an instant, a duration such as "2h", or null, not nothing'],
    [["soon"], '"soon" is not an ISO 8601 instant.'],
    [[{}], "{} is not an ISO 8601 instant."],
  ],
  "clock.follow": [[[{}], "takes vi of Vitest, jest of Jest, mock.timers of node:test, or a clock of @sinonjs/fake-timers"]],
  "clock.settle": [],
  "rules.add": [
    [[], 'the rule is an object such as { name: "busy", when:'],
    [[{ name: "busy" }], "then: is missing"],
    [[{ name: "busy", when: { operation: "sendDoc" }, then: { error: "locked" } }], 'unknown operation "sendDoc"; did you mean'],
  ],
  "rules.remove": [[[5], 'the name of the rule is a text such as "busy", not 5']],
  "rules.clear": [],
  "rules.pending": [],
  "journal.all": [],
  "journal.find": [
    [[], 'the conditions are an object such as { operation: "createDocument" }, not nothing'],
    [[{ operationId: "sendDocument" }], 'unknown name "operationId"; did you mean "operation"?'],
    [[{ operation: "sendDoc" }], 'unknown operation "sendDoc"; did you mean "sendDocument"?'],
    [[{ method: 5 }], 'method: there is no method "5"'],
  ],
  "journal.count": [[[5], "the conditions are an object such as"]],
  "journal.nearest": [
    [["sendDocument"], 'the conditions are an object such as { operation: "createDocument" }, not "sendDocument"'],
  ],
  "journal.clear": [],
  "webhooks.subscribe": [
    [[], 'the subscription is an object such as { url: "http://127.0.0.1:3000/hook" }, not nothing'],
    [[{}], "url: is missing"],
  ],
  "webhooks.receiver": [[[5], 'the options are an object such as { events: ["document_state_changed"] }, not 5']],
  "webhooks.rules.add": [
    [[], 'the rule is an object such as { name: "receiver down", when:'],
    [[{ name: "late" }], "then: is missing"],
  ],
  "webhooks.rules.remove": [[[], 'the name of the rule is a text such as "busy", not nothing']],
  "webhooks.rules.clear": [],
  "webhooks.rules.pending": [],
  "webhooks.deliveries": [
    [[5], 'the conditions are an object such as { state: "delivered" }, not 5'],
    [[{ document: "x" }], 'unknown name "document"; did you mean "document_id"?'],
    [
      [{ event: "document_changed" }],
      'event: "document_changed" is unknown; did you mean "document_created"? It must be one of recipient_completed',
    ],
    [[{ document_id: 5 }], "document_id: must be a text, not 5"],
    [[{ status: "sent" }], 'status: "sent" is unknown; did you mean "document.sent"? It must be one of document.draft'],
    [[{ state: "lost" }], "state: must be one of pending, delivered, failed, dropped"],
  ],
  "webhooks.trigger": [
    [
      ["document_update"],
      'event: "document_update" is unknown; did you mean "document_updated"? It must be one of recipient_completed',
    ],
    [["document_updated", 5], "the options are an object such as { document_id }, not 5"],
    [["document_state_changed", { document_id: 5 }], "document_id: must be a text, not 5"],
    [["document_state_changed", { data: 5 }], "data: must be a map, not 5"],
    [["document_state_changed", { document_id: "none" }], SEE_DOCUMENTS],
    [["document_updated"], "No active subscription asked for document_updated. Subscribe first: npx docdouble listen"],
  ],
  "webhooks.redeliver": [
    [[], "the delivery is a text such as"],
    [["none"], "no delivery has the id none. webhooks.deliveries() lists them."],
  ],
  "webhooks.probeSignatures": [],
  lint: [],
  "documents.create": [
    [["document.sent"], 'the document is an object such as { status: "document.sent" }, not "document.sent"'],
    [[{ fields: { Compny: "x" } }], '"One signer" has no field "Compny". Write "Company".'],
    [[{ tokens: { Nope: "x" } }], 'has no token "Nope"'],
  ],
  "documents.all": [],
  "documents.get": [[[{ id: "x" }], `${A_DOCUMENT}`]],
  "documents.link": [
    [[], A_DOCUMENT],
    [["none", "Client"], SEE_DOCUMENTS],
    [[ID], "the recipient is a text such as"],
    [[ID, "Nobody"], 'the document has no recipient "Nobody"; it has Client'],
  ],
  "documents.simulate": [
    [[{ id: "x" }, "sign"], A_DOCUMENT],
    [["none", "sign"], SEE_DOCUMENTS],
    [[ID, "sing"], 'the act "sing" is unknown; did you mean "sign"? It must be one of view, fill, sign'],
    [[ID, "sign", "Client"], 'the input is an object such as { recipient: "Client" }, not "Client"'],
    [[ID, "sign", { recipient: "Nobody" }], "the document has no recipient Nobody; known:"],
    [[ID, "sign", { reason: "x" }], "The act sign does not take reason.: sign takes recipient, fields, pricing"],
  ],
  "emails.all": [],
  "emails.find": [
    [[], 'the conditions are an object such as { to: "pat@client.example" }, not nothing'],
    [[{ adress: "x" }], 'unknown name "adress"; there are to, kind, document_id, channel, q'],
    [[{ to: 5 }], "to: must be a text, not 5"],
    [[{ kind: "invitation" }], "kind: must be one of sent, reminder"],
    [[{ channel: "fax" }], "channel: must be one of email, sms"],
  ],
  "emails.clear": [],
  "templates.create": [
    [[], "the template is an object such as"],
    [[{ name: "Own", rols: [] }], 'unknown name "rols"; did you mean "roles"?'],
  ],
  "contacts.create": [
    [["pat@client.example"], 'the contact is an object such as { email: "pat@client.example" }, not "pat@client.example"'],
    [[{}], "email: is missing"],
  ],
  "faults.next": [
    [[], "the first argument is a text such as"],
    [["createDocument"], 'the fault is a text such as "throttled", not nothing'],
    [["createDocument", "throtled"], "there is no fault throtled; did you mean throttled?"],
    [["createDoc", "throttled"], "there is no operation createDoc; did you mean"],
    [["document_signed", "webhook_lost"], "there is no event document_signed; did you mean"],
    [["createDocument", "conflict", { retryAfter: "5s" }], 'unknown name "retryAfter"; there are times, document'],
  ],
  "faults.lostAnswer": [
    [[], 'the operation is a text such as "createDocument", not nothing'],
    [["createDocument", { tims: 1 }], 'unknown name "tims"; did you mean "times"?'],
  ],
  "faults.locked": [
    [[], A_DOCUMENT],
    [["none"], SEE_DOCUMENTS],
    [[ID, { for: "long" }], 'for: "long" is not a duration.'],
  ],
  "faults.unlock": [[["none"], SEE_DOCUMENTS]],
  "faults.pending": [],
  "faults.clear": [],
  "scenarios.load": [
    [[5], "the source is the name of a scenario file, or the value of one, not 5"],
    [["none.yaml"], "cannot read none.yaml: ENOENT"],
    [[{ version: 1, rulez: [] }], 'unknown name "rulez"; did you mean "rules"?'],
  ],
  "scenarios.unload": [[[], 'the scenario is a text such as "busy": a name that scenarios.names() shows, not nothing']],
  "scenarios.names": [],
  "scenarios.verify": [],
  snapshot: [],
  har: [
    [[5], "the conditions are an object such as { document }, not 5"],
    [[{ documnt: "x" }], 'unknown name "documnt"; did you mean "document"?'],
  ],
  on: [
    [[], 'the operation is a text such as "sendDocument", not nothing'],
    [["sendDocumnt", () => undefined], "there is no operation sendDocumnt; did you mean sendDocument?"],
    [["sendDocument", {}], "the handler is a function of the call, not {}"],
  ],
  "world.save": [],
  "world.load": [
    [[], "the world is what world.save() returned, or the name of a file with it, not nothing"],
    [["/nowhere/shop.world"], "cannot read the world /nowhere/shop.world: ENOENT."],
    [["{}"], "the world is not a world of docdouble."],
  ],
  verify: [],
  fetch: [
    [[], 'the first argument is a path such as "/public/v1/documents", a URL or a Request, not nothing'],
    [["http://["], 'not "http://["'],
  ],
  tenant: [[["one"], '"one" is not the key of a tenant. Use a key that begins with test-.']],
  reload: [],
  files: [],
  reset: [],
  close: [],
};

/** Calls a method by its path. */
function callMethod(owner: object, path: string, args: readonly unknown[]): unknown {
  const names = path.split(".");
  const name = names.pop() ?? "";
  const group = names.reduce<unknown>((one, next) => (one as Record<string, unknown>)[next], owner);
  return (group as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args);
}

function pathsOf(group: object, prefix = ""): string[] {
  return Object.entries(group).flatMap(([name, value]) => {
    if (typeof value === "function") return [`${prefix}${name}`];
    const isGroup = typeof value === "object" && value !== null && Object.values(value).some((one) => typeof one === "function");
    return isGroup ? pathsOf(value as object, `${prefix}${name}.`) : [];
  });
}

describe("methods", () => {
  test("the table has each method of a running sandbox", () => {
    const { onBug: _, defaultTenant: __, data: ___, ...handles } = sandbox as Sandbox & Record<string, unknown>;
    const own = ["files", "close", "reset", "reload", "tenant", "fetch"];
    expect(new Set([...pathsOf(handles), ...own])).toEqual(new Set(Object.keys(MISUSE)));
  });

  const rows = Object.entries<readonly Row[]>(MISUSE).flatMap(([path, all]) => all.map((row) => [path, ...row] as const));

  test.each(rows)("%s(%j): %s", async (path, args, message) => {
    const text = await refusal(() =>
      callMethod(
        sandbox,
        path,
        args.map((one) => (one === ID ? id : one)),
      ),
    );
    expect(text).toContain(message);
    expect(text.startsWith(path)).toBe(true);
  });

  test("a method that returns a promise rejects instead of throwing", async () => {
    for (const path of WAITS) {
      const [row] = MISUSE[path] as readonly [Row];
      const result = callMethod(sandbox, path, row[0]);
      expect(result, path).toBeInstanceOf(Promise);
      await expect(result, path).rejects.toThrow();
    }
  });

  test("after close, changes name the method and the next step, and reads still work", async () => {
    const closed = await createSandbox({ seed: 7 });
    const { id: document } = await closed.documents.create({ status: "document.sent" });
    const { restore } = closed.snapshot();
    const tenant = closed.tenant("test-a");
    await closed.close();
    const READ_ARGS: Readonly<Record<string, unknown[]>> = {
      "documents.get": [document],
      "documents.link": [document, "Client"],
      "emails.find": [{ to: "nobody@client.example" }],
    };
    const next = "this sandbox is closed. Start another with createSandbox(), or open the tenant again with sandbox.tenant().";
    for (const path of Object.keys(MISUSE) as MethodName[]) {
      const isSearch = path.startsWith("journal.");
      const run = () => callMethod(closed, path, READ_ARGS[path] ?? (isSearch ? [{}] : []));
      if (!READS.includes(path)) expect(await refusal(run)).toBe(`${path}: ${next}`);
      else expect(await refusal(run), path).toBe("nothing was refused");
    }
    expect(await refusal(restore)).toBe(`snapshot.restore: ${next}`);
    expect(await refusal(() => tenant.documents.create())).toBe(`documents.create: ${next}`);
  });

  test.each<[name: string, Row]>([
    [
      "next",
      [
        ["document_sined"],
        'inbox.next: the event "document_sined" is unknown; did you mean "document_updated"? It must be one of',
      ],
    ],
    ["next", [["document_updated"], "inbox.next: the receiver does not subscribe to document_updated"]],
    ["next", [[undefined, 5], "inbox.next: the match is an object such as { status } or a function"]],
    ["next", [[undefined, {}, 5], "inbox.next: the options are an object such as { timeout: 5000 }, not 5"]],
    ["next", [[undefined, {}, { timeout: -1 }], "inbox.next: timeout: must be 0 or more, not -1"]],
    ["answer", [[99], "inbox.answer: the status is a whole number from 200 to 599, not 99"]],
    ["answer", [[200, 5], "inbox.answer: the options are an object such as { times: 1 }, not 5"]],
    ["answer", [[200, { times: 0 }], "inbox.answer: times: must be 1 or more, not 0"]],
    ["answer", [[200, { body: 5 }], "inbox.answer: body: must be a text, not 5"]],
  ])("inbox.%s %j", async (name, [args, message]) => {
    expect(await refusal(() => callMethod(inbox, name, args))).toContain(message);
  });

  test("a closed receiver names the method and the next step", async () => {
    const closed = await sandbox.webhooks.receiver({ handler() {} });
    await closed.close();
    const next = "this webhook receiver is closed, as after sandbox.reset(). Open another with sandbox.webhooks.receiver().";
    expect(await refusal(() => closed.next())).toBe(`inbox.next: ${next}`);
    expect(await refusal(() => closed.answer(200))).toBe(`inbox.answer: ${next}`);
  });
});

const page = { goto() {}, frames: () => [] } as never;
const visit = { page, role: "Client", url: "", poll: async () => ({}) as never };

describe("helpers", () => {
  test.each<[run: () => unknown, message: string]>([
    [() => createSandbox(null as never), "createSandbox takes an object of options such as { port: 0 }, not null"],
    [() => intercept({} as never), "intercept: the first argument is a sandbox of createSandbox or useSandbox"],
    [() => handlers(undefined as never), "msw handlers: the first argument is a sandbox of createSandbox or useSandbox"],
    [() => explore(5 as never), "explore takes a function as its first argument, not 5"],
    [() => assertReceived({} as never, "sendDocument"), "assertReceived: it checks a sandbox, as createSandbox or useSandbox"],
    [
      () => assertReceived(sandbox, "sendDoc" as never),
      "assertReceived: there is no operation sendDoc; did you mean sendDocument?",
    ],
    [() => expect(sandbox).toHaveReceived("sendDoc" as never), "toHaveReceived: there is no operation sendDoc"],
    [() => expect(sandbox).toHaveDelivered("signed" as never), "toHaveDelivered: there is no event signed"],
    [() => expect(inbox).toHaveReceivedEvent("signed" as never), "toHaveReceivedEvent: there is no event signed"],
    [
      () => expect(sandbox).toHaveDocument(5 as never),
      "toHaveDocument: the conditions are an object such as { times: 1 }, not 5",
    ],
    [
      () => expect(sandbox).toHaveMailed(5 as never),
      'toHaveMailed: the first argument is an address such as "pat@client.example"',
    ],
    [() => expect(sandbox).toBeClean({ except: "role" } as never), 'toBeClean: except is a list of kinds, not "role"'],
    [
      () => sign({ ...visit, page: {} as never, method: "signAs", document: id, options: {}, sandbox }),
      "signAs: the first argument is a page of Playwright",
    ],
    [
      () => sign({ ...visit, method: "signAs", document: "none", options: {}, sandbox }),
      'signAs: the sandbox has no document "none". Pass a document or its id.',
    ],
    [
      () => decline({ ...visit, role: "Nobody", method: "declineAs", document: id, options: {}, sandbox }),
      'declineAs: the document has no recipient "Nobody"; it has Client',
    ],
  ])("%s: %s", async (run, message) => {
    expect(await refusal(run)).toContain(message);
  });

  test("a tenant's handles refuse the same mistakes as the sandbox", async () => {
    const tenant: Handles = sandbox.tenant("test-misuse");
    expect(await refusal(() => tenant.clock.set("frozen" as never))).toContain("clock.set: the changes are an object");
  });
});
