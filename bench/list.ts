/**
 * How long a page of 50 documents takes out of 1,000, 10,000 and 100,000, by filter: `npx tsx bench/list.ts`. Prints
 * medians in milliseconds, of the rule alone and of a whole request, and how much more the largest world takes.
 */
import { listDocuments, type DocumentFilter } from "../src/domain/listing.ts";
import type { DocumentRow } from "../src/domain/tables.ts";
import { STATUSES } from "../src/domain/document-machine.ts";
import { createSandbox } from "../src/sandbox.ts";

const SIZES = [1000, 10_000, 100_000] as const;
const RUNS = 60;
const DAY_MS = 86_400_000;
const START = Date.parse("2024-01-01T00:00:00Z");

/** Filters that match a share of the world, or one document, as the world grows. */
const QUERIES: Record<string, (size: number) => Record<string, string>> = {
  "no filter": () => ({}),
  "newest first": () => ({ order_by: "-date_created" }),
  status: () => ({ status: "2" }),
  "status, by name": () => ({ status: "1", order_by: "name" }),
  template: () => ({ template_id: "template3" }),
  folder: () => ({ folder_uuid: "folder7" }),
  tag: () => ({ tag: "tag4" }),
  metadata: (size) => ({ metadata: `metadata_order=${size >> 1}` }),
  owner: () => ({ membership_id: "member2" }),
  contact: () => ({ contact_id: "contact11" }),
  "status and tag": () => ({ status: "5", tag: "tag2" }),
  "not a status": () => ({ status__ne: "2" }),
  "created, a hundredth": () => ({ created_from: "2024-06-01T00:00:00Z", created_to: "2024-06-05T00:00:00Z" }),
  "created, by created": () => ({ created_from: "2024-06-01T00:00:00Z", order_by: "date_created" }),
  "modified, a tenth": () => ({ modified_from: "2024-03-01T00:00:00Z", modified_to: "2024-04-06T00:00:00Z" }),
  "q, one document": (size) => ({ q: `no ${(size >> 1) + 7}` }),
  "q, one in a hundred": () => ({ q: "company 42" }),
  "q, every document": () => ({ q: "agreement" }),
  "q, none": () => ({ q: "zebra crossing" }),
};

async function worldOf(size: number) {
  const sandbox = await createSandbox({ seed: 1, clock: "frozen" });
  const tenant = sandbox.host.defaultTenant;
  const key = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
  const [template] = tenant.store.templates.all();
  const answer = await sandbox.fetch("/public/v1/documents", {
    method: "POST",
    headers: key,
    body: JSON.stringify({ template_uuid: template?.id, recipients: [{ email: "a@client.example" }] }),
  });
  const model = tenant.store.documents.get(((await answer.json()) as { id: string }).id) as DocumentRow;
  const recipient = model.recipients[0] as DocumentRow["recipients"][number];
  tenant.store.documents.delete(model.id);
  for (let i = 0; i < size; i++) {
    const at = START + Math.floor((i / size) * 366 * DAY_MS);
    tenant.store.documents.put({
      ...model,
      id: `document${(i * 7919) % size}`,
      name: `Agreement with company ${i % 100}x, no ${i}`,
      ref_number: tenant.ids.refNumber(),
      status: STATUSES[i % 10] ?? "document.draft",
      date_created: at,
      date_modified: at + 1000,
      date_status_changed: at + ((i * 31) % 977) * 1000,
      template: { id: `template${i % 20}`, name: "" },
      folder_uuid: `folder${i % 50}`,
      owner: `member${i % 10}`,
      tags: [`tag${i % 8}`],
      metadata: { order: String(i), source: "crm" },
      recipients: [{ ...recipient, contact_id: `contact${i % 200}` }],
    });
  }
  return { sandbox, tenant, key };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] as number;
}

const rows: Record<string, Record<string, number>> = Object.fromEntries(Object.keys(QUERIES).map((name) => [name, {}]));
for (const size of SIZES) {
  const { sandbox, tenant, key } = await worldOf(size);
  for (const [name, make] of Object.entries(QUERIES)) {
    const query = make(size);
    const whole: number[] = [];
    let found = 0;
    for (let i = 0; i < RUNS; i++) {
      const start = performance.now();
      const response = await sandbox.fetch(`/public/v1/documents?${new URLSearchParams(query)}`, { headers: key });
      found = ((await response.json()) as { results: unknown[] }).results.length;
      whole.push(performance.now() - start);
    }
    const { order_by = "date_status_changed", ...rest } = query;
    const filter = { ...rest, order_by, count: 50, page: 1 } as unknown as DocumentFilter;
    for (const field of ["created_from", "created_to", "modified_from", "modified_to"] as const)
      if (query[field] !== undefined) filter[field] = Date.parse(query[field]);
    for (const field of ["status", "status__ne"] as const) if (query[field] !== undefined) filter[field] = Number(query[field]);
    if (query.metadata !== undefined) filter.metadata = [query.metadata.replace("metadata_", "").split("=") as [string, string]];
    const world = { ...tenant.world };
    const rule = Array.from({ length: RUNS }, () => {
      const start = performance.now();
      listDocuments(world, filter);
      return performance.now() - start;
    });
    Object.assign(rows[name] as object, {
      [`${size} rule`]: median(rule),
      [`${size} request`]: median(whole),
      [`${size} found`]: found,
    });
  }
  await sandbox.close();
}
const line = (cells: (string | number)[]) =>
  console.log(
    cells.map((cell, i) => (typeof cell === "number" ? cell.toFixed(3) : cell).padStart(i === 0 ? 22 : 10).padEnd(10)).join(" "),
  );
line(["filter", ...SIZES.flatMap((size) => [`rule ${size}`, `call ${size}`]), "call ratio", "found"]);
for (const [name, row] of Object.entries(rows)) {
  const ratio = (row["100000 request"] as number) / (row["1000 request"] as number);
  line([
    name,
    ...SIZES.flatMap((size) => [row[`${size} rule`] as number, row[`${size} request`] as number]),
    ratio,
    SIZES.map((size) => row[`${size} found`]).join("/"),
  ]);
}
