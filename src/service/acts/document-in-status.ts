import * as z from "zod";
import type { Tenant, World } from "../kit/world.ts";
import { lazy } from "../../engine/core/operation.ts";
import { nearest } from "../../engine/core/text.ts";
import type { DocumentStatus } from "../nouns/documents/status-machine.ts";
import { STATUSES } from "../nouns/documents/status-machine.ts";
import { createFromTemplate } from "../nouns/documents/documents.ts";
import { strictly } from "../world/inputs.ts";
import { domainJobs } from "../nouns/jobs.ts";
import { actor } from "../nouns/people/inputs.ts";
import {
  NEEDS_APPROVAL,
  NEEDS_PAYMENT,
  StatusRefusal,
  bring,
  placeholderRecipient,
  problemOf,
  reaching,
} from "../nouns/signing/bring.ts";
import type { TemplateRow } from "../nouns/templates/row.ts";

export const newDocument = lazy(() =>
  z.strictObject({
    template: z.string().optional(),
    name: z.string().min(1).optional(),
    status: z.enum(STATUSES).optional(),
    recipients: z.array(strictly(actor())).optional(),
    fields: z.record(z.string(), z.union([z.string(), z.boolean(), z.number()])).optional(),
    tokens: z.record(z.string(), z.string()).optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    tags: z.array(z.string()).optional(),
    folder: z.string().optional(),
    sendAt: z.string().optional(),
  }),
);

export type Wish = z.output<ReturnType<typeof newDocument>>;
type Recipient = NonNullable<Wish["recipients"]>[number];

/** Creates a document and takes it to a status. A refusal leaves everything unchanged. Returns the document's id. @throws 400 */
export async function createInStatus(tenant: Tenant, wish: Wish): Promise<string> {
  const { id, ready } = beginInStatus(tenant, wish);
  await ready;
  return id;
}

/** The same without waiting: `ready` is there while images load. @throws 400 */
export function beginInStatus(tenant: Tenant, wish: Wish): { id: string; ready?: Promise<unknown> } {
  const status = wish.status ?? "document.draft";
  if (wish.sendAt !== undefined && status !== "document.scheduled")
    throw new StatusRefusal(`sendAt needs the status document.scheduled; the status is ${status}`);
  const { world, store } = tenant;
  const template = chooseTemplate(world, wish.template, status);
  requirePossible(world, template, status);
  const finish = (id: string) => {
    bring(world, id, status, { send_at: wish.sendAt });
    return id;
  };
  const begun = reaching(status, () =>
    store.transaction(() => {
      const { id } = createFromTemplate(refusingRemarks(world), toInput(template, wish));
      if (status === "document.uploaded") return { id };
      world.jobs.cancelWhere("convert_document", { document: id });
      if (status === "document.error") return { id: finish(id) };
      // Only images with an address take time to load.
      const loading = domainJobs.convert_document?.run({ document: id } as never, world);
      return loading ? { id, loading } : { id: finish(id) };
    }),
  );
  const { id, loading } = { loading: undefined, ...begun };
  if (loading === undefined) return { id };
  const end = (loaded: () => void) => {
    try {
      return reaching(status, () =>
        store.transaction(() => {
          loaded();
          return finish(id);
        }),
      );
    } catch (error) {
      store.transaction(() => store.documents.delete(id));
      throw error;
    }
  };
  return { id, ready: loading.then(end) };
}

/** The service ignores unknown names. In a test such a name is a mistake, so this refuses it. */
function refusingRemarks(world: World): World {
  return Object.assign(Object.create(world) as World, {
    remark({ message, fix }: Parameters<World["remark"]>[0]) {
      throw new StatusRefusal(`${message.replace(/, so .*$/, "")}. ${fix}`);
    },
  });
}

function templatesOf({ store, caller }: World): TemplateRow[] {
  return store.templates.all().filter((row) => row.workspace_id === caller.workspace_id && row.internal.deleted_at === null);
}

function chooseTemplate(world: World, wanted: string | undefined, status: DocumentStatus): TemplateRow {
  const templates = templatesOf(world);
  if (wanted !== undefined) {
    const found = templates.find((row) => row.id === wanted) ?? templates.find((row) => row.name === wanted);
    if (found) return found;
    const names = templates.map((row) => row.name);
    const near = nearest(wanted, names);
    throw new StatusRefusal(
      `there is no template "${wanted}"; ${near === undefined ? `there are ${listed(names)}` : `did you mean "${near}"?`}`,
    );
  }
  const chosen = templates.find(
    (row) => problemOf(row, status) === undefined && (row.internal.approval === null || NEEDS_APPROVAL.includes(status)),
  );
  if (chosen) return chosen;
  throw new StatusRefusal(
    `no template can reach ${status}. Create one with templates.create(${
      NEEDS_APPROVAL.includes(status)
        ? "{ name, roles, approval: { steps: [[member]] } }"
        : NEEDS_PAYMENT.includes(status)
          ? "{ name, roles, fields, payment: {} }"
          : "{ name, roles, fields }"
    }).`,
  );
}

function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ") || "none";
}

function requirePossible(world: World, template: TemplateRow, status: DocumentStatus): void {
  const problem = problemOf(template, status);
  if (problem === undefined) return;
  const others = templatesOf(world).filter((row) => problemOf(row, status) === undefined);
  const next =
    others.length > 0 ? `Use one of ${listed(others.map((row) => row.name))}` : "Create another with templates.create()";
  throw new StatusRefusal(`Cannot reach ${status}: ${problem}. ${next}.`);
}

function toInput(template: TemplateRow, wish: Wish) {
  const { name, metadata, tags, folder, fields, tokens } = wish;
  return {
    template_uuid: template.id,
    name: name ?? template.name,
    recipients: toRecipients(template, wish.recipients),
    metadata: metadata ?? {},
    ...(tags ? { tags } : {}),
    ...(folder === undefined ? {} : { folder_uuid: folder }),
    ...(fields ? { fields: Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { value }])) } : {}),
    ...(tokens ? { tokens: Object.entries(tokens).map(([token, value]) => ({ name: token, value })) } : {}),
  };
}

function toRecipients({ roles }: TemplateRow, wanted: readonly Recipient[] | undefined): Recipient[] {
  const free = roles.filter((role) => !role.preassigned_person && !wanted?.some((one) => one.role === role.name));
  if (!wanted) return free.map((role) => placeholderRecipient(role.name));
  return wanted.map((one) => (one.role == null && free.length > 0 ? { ...one, role: free.shift()?.name ?? null } : one));
}
