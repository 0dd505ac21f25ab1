import type { Journal } from "./journal.ts";
import { type CreatedKind, isCreation, subjectOf } from "./kinds.ts";
import { Marks, NAME, plain } from "./marks.ts";
import { type Answer, at, type CallInput, listAt, type Service, shown } from "./service.ts";
import { smallPdf } from "./small-pdf.ts";
import { ServiceFailure, Undecided } from "./story-errors.ts";
import { createdId, Things } from "./things.ts";

/**
 * `email` is the address of the key's owner. `account` names the owner's membership of the workspace. `run` makes the names of this probe
 * unique. `deadTarget`: an https address without a server.
 */
export interface AccountFacts {
  email: string;
  account: string;
  kind: "sandbox" | "production";
  run: string;
  deadTarget: string;
}

export interface AccountOptions {
  url: string;
  now(): number;
  journal?: Journal | undefined;
}

const TEMPLATES = "/public/v1/templates";
const TEMPLATES_MAX = 10;
const TEXT = "A file of docdouble probe. It may be deleted.";
const LOOKS_AFTER_S = [3, 4, 6, 8, 10, 15, 20, 30, 60];
/** Ids that no account has. A call with one of them changes nothing. */
export const NO_ID = "docdoubleProbeNoSuchXX";
export const NO_UUID = "00000000-0000-4000-8000-000000000000";
/** A refused token changes nothing. */
const TOKENS = "/oauth2/access_token";

/**
 * Makes what stories need, and guards the account: a call may change only what this run created. Methods throw Undecided when an answer
 * fits no reading, and ServiceFailure when the service fails.
 */
export class Account {
  readonly service: Service;
  readonly facts: AccountFacts;
  readonly marks: Marks;
  readonly things: Things;
  #count = 0;
  #kept = new Map<string, string>();
  #templates: unknown[] | undefined;

  constructor(service: Service, facts: AccountFacts, options: AccountOptions) {
    this.service = service;
    this.facts = facts;
    this.marks = new Marks(facts.run);
    this.things = new Things(service, { ...options, marks: this.marks });
  }

  /**
   * Refuses to change what the run did not create. Contacts that the service makes of recipients are found and deleted.
   * @throws Undecided, ServiceFailure
   */
  async call(method: string, target: string, input: CallInput = {}): Promise<Answer> {
    if (method === "GET") return this.#made(method, target, input);
    const text = textOf(input);
    await this.#guard(method, target, text);
    return this.#withContacts(target, text, () => this.#made(method, target, input));
  }

  async #made(method: string, target: string, input: CallInput): Promise<Answer> {
    const answer = await this.service.call(method, target, input);
    this.things.saw(method, target, answer);
    return answer;
  }

  async #guard(method: string, target: string, text: string): Promise<void> {
    const [path = ""] = target.split("?", 1);
    const place = `${method} ${path}`;
    if (path === TOKENS) return;
    if (path.split("/").some((one) => /^(?:\.|%2e)+$/i.test(one)) || /%2f/i.test(path))
      throw new Undecided(`The service gave an id that leads to another path: ${place}`);
    const subject = subjectOf(target);
    if (subject === undefined) throw new Error(`A story may not call ${place}: the probe could not undo it.`);
    if (method === "POST" && isCreation(subject))
      throw new Error(`${place} may create a ${subject.kind}: a story must use account.create.`);
    if (subject.id === undefined) throw new Error(`A story may not call ${place}: it is about no single ${subject.kind}.`);
    if (subject.id !== NO_ID && subject.id !== NO_UUID) await this.things.prove(subject.kind, subject.id, place);
    await this.things.proveIn(text);
    if (method === "DELETE" && subject.rest === "") this.things.deletes(subject.kind, subject.id);
  }

  /** A recipient becomes a contact. Only a clear refusal makes none. */
  async #withContacts(target: string, text: string, call: () => Promise<Answer>): Promise<Answer> {
    const addresses = subjectOf(target)?.kind === "contact" ? [] : this.marks.addressesIn(text);
    if (addresses.length > 0) await this.things.readBefore("contact");
    const contacts = this.things.intendContacts(addresses, (email) => email === plain(this.signer));
    const answer = await call();
    if (isRefusal(answer)) for (const one of contacts) this.things.refused(one);
    return answer;
  }

  newName(): string {
    this.#count++;
    return this.marks.name(this.#count);
  }

  newEmail(): string {
    this.#count++;
    return this.marks.email(this.#count);
  }

  /** An address without a domain. The service must refuse it. */
  brokenEmail(): string {
    this.#count++;
    return this.marks.brokenEmail(this.#count);
  }

  /** The address of `me`: a sandbox key may send to it, and no contact of the owner has it. */
  get signer(): string {
    return this.marks.signer(this.facts.email);
  }

  /**
   * Makes a POST that creates a thing, or that the service should refuse. The name of the thing comes from `newName` or `newEmail`.
   * Without a clear answer the thing counts as perhaps created.
   */
  async create(kind: CreatedKind, name: string, target: string, input: CallInput): Promise<Answer> {
    await this.things.readBefore(kind);
    const text = textOf(input);
    await this.things.proveIn(text);
    return this.#withContacts(target, text, async () => {
      const thing = this.things.intend(kind, name);
      const place = `POST ${target}`;
      const answer = await this.service.call("POST", target, input);
      const id = createdId(kind, answer);
      if (isRefusal(answer)) this.things.refused(thing);
      else if (typeof id === "string") this.things.created(thing, id, place);
      else throw new ServiceFailure(`${place} answered ${answer.status} without an id.`, { place });
      return answer;
    });
  }

  /** The id of the contact that the service made of a recipient. */
  contactOf(email: string): Promise<string> {
    return this.things.contactOf(email);
  }

  /** `data` replaces members of the request. */
  upload(data: object = {}, file: { text?: string; bytes?: Buffer; query?: string } = {}): Promise<Answer> {
    const name = "name" in data && typeof data.name === "string" ? data.name : this.newName();
    const bytes = file.bytes ?? smallPdf(file.text ?? TEXT);
    const form = fileForm(bytes, "probe.pdf", { name, recipients: [this.me("Client")], fields: {}, ...data });
    return this.create("document", name, `/public/v1/documents?upload${file.query ?? ""}`, { form });
  }

  /** The name of the file is the name in the request. */
  uploadTemplate(data: (name: string) => object = (name) => ({ name })): Promise<Answer> {
    const name = this.newName();
    return this.create("template", name, `${TEMPLATES}?upload`, { form: fileForm(smallPdf(TEXT), `${name}.pdf`, data(name)) });
  }

  async template(): Promise<string> {
    const id = idOf(required(await this.uploadTemplate(), "the upload of a template"));
    const status = await this.#settled(`${TEMPLATES}/${id}`, "template.UPLOADED");
    if (status !== "template.PROCESSED") throw new Undecided(`The uploaded template became ${status}.`);
    return id;
  }

  createDocument(body: object): Promise<Answer> {
    const name = this.newName();
    return this.create("document", name, "/public/v1/documents", { body: { name, ...body } });
  }

  /** The recipient of sent documents. The service overwrites the names of a contact, so the address is never one of the owner. */
  me(role: string): { email: string; first_name: string; last_name: string; role: string } {
    return { email: this.signer, first_name: "Docdouble", last_name: "Probe", role };
  }

  async processed(id: string): Promise<string> {
    return this.#settled(`/public/v1/documents/${id}`, "document.uploaded");
  }

  async #settled(target: string, unsettled: string): Promise<string> {
    for (const seconds of LOOKS_AFTER_S) {
      await this.service.pacing.wait(seconds * 1000);
      const status = at((await this.call("GET", target)).json, "status");
      if (typeof status === "string" && status !== unsettled) return status;
    }
    throw new Undecided(`${target} still had the status ${unsettled} after ${LOOKS_AFTER_S.length} looks.`);
  }

  async draft(data: object = {}): Promise<string> {
    return this.#drafted(required(await this.upload(data), "the upload"));
  }

  async draftFrom(template: string, data: object = {}): Promise<string> {
    const body = { template_uuid: template, recipients: [], ...data };
    return this.#drafted(required(await this.createDocument(body), "a document from a template"));
  }

  async #drafted(made: Answer): Promise<string> {
    const id = idOf(made);
    const status = await this.processed(id);
    if (status !== "document.draft") throw new Undecided(`The new document became ${status} instead of document.draft.`);
    return id;
  }

  /** The shared things are for stories that change nothing. */
  sharedDraft(): Promise<string> {
    return this.once("draft", () => this.draft());
  }

  /** For stories that add parts to it and look at these parts alone. */
  draftForParts(): Promise<string> {
    return this.once("draft for parts", () => this.draft());
  }

  sharedSent(): Promise<string> {
    return this.once("sent document", async () => (await this.sent()).id);
  }

  async once(what: string, make: () => Promise<string>): Promise<string> {
    const kept = this.#kept.get(what);
    if (kept !== undefined) return kept;
    const id = await make();
    this.things.share(decodeURIComponent(id));
    this.#kept.set(what, id);
    return id;
  }

  async ownTemplates(): Promise<unknown[]> {
    this.#templates ??= await this.#readTemplates();
    return this.#templates;
  }

  async #readTemplates(): Promise<unknown[]> {
    const { json } = required(await this.call("GET", `${TEMPLATES}?count=${TEMPLATES_MAX}`), "the list of templates");
    const templates: unknown[] = [];
    for (const one of listAt(json, "results")) {
      // Another story made it and will delete it.
      if (plain(at(one, "name")).startsWith(NAME)) continue;
      const details = await this.call("GET", `${TEMPLATES}/${encodeURIComponent(String(at(one, "id")))}/details`);
      if (details.status === 200) templates.push(details.json);
    }
    return templates;
  }

  send(id: string): Promise<Answer> {
    return this.call("POST", `/public/v1/documents/${id}/send`, { body: { silent: true, subject: "docdouble probe" } });
  }

  async sent(): Promise<{ id: string; answer: Answer }> {
    const id = await this.draft();
    return { id, answer: required(await this.send(id), "sending") };
  }
}

function isRefusal({ status }: Answer): boolean {
  return status >= 400 && status < 500;
}

/** The texts of a request. */
function textOf({ body, form, raw }: CallInput): string {
  const parts = form === undefined ? [] : [...form.values()].filter((one) => typeof one === "string");
  return [body === undefined ? "" : JSON.stringify(body), raw?.text ?? "", ...parts].join(" ");
}

function fileForm(bytes: Buffer, name: string, data: object): FormData {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(bytes)], name, { type: "application/pdf" }));
  form.append("data", JSON.stringify(data));
  return form;
}

/** @throws Undecided */
export function required(answer: Answer, what: string): Answer {
  if (answer.status >= 300) throw new Undecided(`The service refused ${what}: ${shown(answer)}`);
  return answer;
}

export function idOf({ json }: Answer): string {
  return encodeURIComponent(String(at(json, "id")));
}
