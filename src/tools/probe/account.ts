import { Marks } from "./marks.ts";
import { type Answer, at, type CallInput, listAt, type Service, shown } from "./service.ts";
import { smallPdf } from "./small-pdf.ts";
import { Undecided } from "./story-errors.ts";
import { type CreatedKind, KINDS, Things } from "./things.ts";

/** `email` is the address of the key's owner. `run` makes the names of this probe unique. */
export interface AccountFacts {
  email: string;
  kind: "sandbox" | "production";
  run: string;
}

const TEMPLATES = "/public/v1/templates";
const TEMPLATES_MAX = 10;
const TEXT = "A file of docdouble probe. It may be deleted.";
const LOOKS_AFTER_S = [3, 4, 6, 8, 10, 15, 20, 30, 60];

/**
 * Makes what stories need, and guards the account: a call may change only what this run created. Methods throw Undecided when an answer
 * fits no reading, and ServiceFailure when the service fails.
 */
export class Account {
  readonly service: Service;
  readonly facts: AccountFacts;
  readonly things: Things;
  readonly #marks: Marks;
  #count = 0;
  #draft: string | undefined;
  #sent: string | undefined;
  #pricingTemplate: { template: string; table: string } | undefined;

  constructor(service: Service, facts: AccountFacts) {
    this.service = service;
    this.facts = facts;
    this.#marks = new Marks(facts.run);
    this.things = new Things(service, this.#marks);
  }

  /** Refuses to change what the run did not create. @throws Undecided, ServiceFailure */
  async call(method: string, target: string, input: CallInput = {}): Promise<Answer> {
    if (method === "GET") return this.service.call(method, target, input);
    const place = `${method} ${target}`;
    const subject = subjectOf(target);
    if (!subject) throw new Undecided(`The probe does not call ${place}, because it could not undo it.`);
    const { kind, id, isWhole } = subject;
    await this.things.prove(kind, id, place);
    await this.#makeContacts(input);
    const deletion = method === "DELETE" && isWhole ? this.things.deletes(kind, id) : undefined;
    const answer = await this.service.call(method, target, input);
    if (answer.status < 300) deletion?.isDone();
    return answer;
  }

  /**
   * Makes a POST that creates a thing, or that the service should refuse. The name of the thing comes from `newName` or `newEmail`.
   * Without a clear answer the thing counts as perhaps created.
   */
  async create(kind: CreatedKind, name: string, target: string, input: CallInput): Promise<Answer> {
    if (kind !== "contact") await this.#makeContacts(input);
    const thing = this.things.intend(kind, name);
    const answer = await this.service.call("POST", target, input);
    if (answer.status >= 400 && answer.status < 500) this.things.dropped(thing);
    else this.things.created(thing, answer, `POST ${target}`);
    return answer;
  }

  /** The service makes a contact of each recipient, and does not name its id. So the probe makes the contact first, and can delete it. */
  async #makeContacts(input: CallInput): Promise<void> {
    for (const email of this.#marks.addressesIn(textOf(input))) {
      if (this.things.has("contact", email)) continue;
      const thing = this.things.intend("contact", email);
      thing.isShared = email === this.signer.toLowerCase();
      const answer = await this.service.call("POST", KINDS.contact.path, { body: { email } });
      // Without the right to make contacts, the service may still make one of the recipient.
      if (answer.status < 300) this.things.created(thing, answer, `POST ${KINDS.contact.path}`);
    }
  }

  newName(): string {
    return this.#marks.name(++this.#count);
  }

  newEmail(): string {
    return this.#marks.email(++this.#count);
  }

  /** An address without a domain. The service must refuse it. */
  brokenEmail(): string {
    return this.#marks.brokenEmail(++this.#count);
  }

  /** The address of `me`: a sandbox key may send to it, and no contact of the owner has it. */
  get signer(): string {
    return this.#marks.signer(this.facts.email);
  }

  /** The recipient of sent documents. The service overwrites the names of a contact, so the address is never one of the owner. */
  me(role: string): { email: string; first_name: string; last_name: string; role: string } {
    return { email: this.signer, first_name: "Docdouble", last_name: "Probe", role };
  }

  /** `data` replaces members of the request. */
  upload(data: object = {}, file: { text?: string; bytes?: Buffer } = {}): Promise<Answer> {
    const name = this.newName();
    const bytes = file.bytes ?? smallPdf(file.text ?? TEXT);
    const form = fileForm(bytes, "probe.pdf", { name, recipients: [this.me("Client")], fields: {}, ...data });
    return this.create("document", name, "/public/v1/documents?upload", { form });
  }

  async template(): Promise<string> {
    const name = this.newName();
    const form = fileForm(smallPdf(TEXT), `${name}.pdf`, { name });
    const id = idOf(required(await this.create("template", name, `${TEMPLATES}?upload`, { form }), "the upload of a template"));
    const status = await this.#settled(`${TEMPLATES}/${id}`, "template.UPLOADED");
    if (status !== "template.PROCESSED") throw new Undecided(`The uploaded template became ${status}.`);
    return id;
  }

  createDocument(body: object): Promise<Answer> {
    const name = this.newName();
    return this.create("document", name, "/public/v1/documents", { body: { name, ...body } });
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
  async sharedDraft(): Promise<string> {
    this.#draft ??= this.#shared(await this.draft());
    return this.#draft;
  }

  async sharedSent(): Promise<string> {
    this.#sent ??= this.#shared((await this.sent()).id);
    return this.#sent;
  }

  #shared(id: string): string {
    this.things.share(id);
    return id;
  }

  /** The first template of the account with a pricing table, because the API creates none. @throws Undecided */
  async pricingTemplate(): Promise<{ template: string; table: string }> {
    this.#pricingTemplate ??= await this.#findPricingTemplate();
    return this.#pricingTemplate;
  }

  async #findPricingTemplate(): Promise<{ template: string; table: string }> {
    const { json } = required(await this.call("GET", `${TEMPLATES}?count=${TEMPLATES_MAX}`), "the list of templates");
    const templates = listAt(json, "results").map((one) => encodeURIComponent(String(at(one, "id"))));
    for (const template of templates) {
      const details = await this.call("GET", `${TEMPLATES}/${template}/details`);
      const table = at(details.json, "pricing", "tables", 0, "name");
      if (details.status === 200 && typeof table === "string") return { template, table };
    }
    throw new Undecided(
      `The first ${templates.length} templates have no pricing table. Create a template with one, then probe again.`,
    );
  }

  send(id: string): Promise<Answer> {
    return this.call("POST", `/public/v1/documents/${id}/send`, { body: { silent: true, subject: "docdouble probe" } });
  }

  async sent(): Promise<{ id: string; answer: Answer }> {
    const id = await this.draft();
    return { id, answer: required(await this.send(id), "sending") };
  }
}

const SUBJECT = /^\/public\/v[12]\/(documents|contacts|templates|webhook-subscriptions)\/([\w-]+)((?:\/[\w-]+)*)(?:\?\w*)?$/;

/** The thing that a call is about. `isWhole`: the call is about all of it. Undefined for other paths. */
function subjectOf(target: string): { kind: CreatedKind; id: string; isWhole: boolean } | undefined {
  const [, group = "", id = "", rest = ""] = SUBJECT.exec(target) ?? [];
  const kind = (Object.keys(KINDS) as CreatedKind[]).find((one) => KINDS[one].path.endsWith(`/${group}`));
  return id === "" || kind === undefined ? undefined : { kind, id, isWhole: rest === "" };
}

/** The texts of a request. */
function textOf({ body, form }: CallInput): string {
  const parts = form === undefined ? [] : [...form.values()].filter((one) => typeof one === "string");
  return [body === undefined ? "" : JSON.stringify(body), ...parts].join(" ");
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
