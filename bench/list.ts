/**
 * Measures how long a page of 50 documents takes in worlds of 1,000, 10,000 and 100,000 documents, for each filter. The figures are
 * medians of whole requests without a socket.
 */
import { STATUSES } from "../src/service/model/documents/status-machine.ts";
import { createSandbox, hostOf } from "../src/library/sandbox.ts";
import type { DocumentRow } from "../src/service/model/documents/document.ts";

const SIZES = [1000, 10_000, 100_000] as const;
const RUNS = 60;
const DAY_MS = 86_400_000;
const START = Date.parse("2024-01-01T00:00:00Z");

/** Queries by name. Most match a fixed share of a growing world. Others match one document or none. */
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
  "created, half, by name": () => ({ created_to: "2024-07-01T00:00:00Z", order_by: "-name" }),
  "four filters": () => ({ folder_uuid: "folder7", tag: "tag7", membership_id: "member7", status__ne: "2" }),
  "the hundredth part of the pages": (size) => ({ status__ne: "2", page: String(Math.ceil(size / 50 / 100)) }),
  "q, one document": (size) => ({ q: `no ${(size >> 1) + 7}` }),
  "q, one in a hundred": () => ({ q: "company 42" }),
  "q, every document": () => ({ q: "agreement" }),
  "q, two letters": () => ({ q: "zz" }),
  "q, none": () => ({ q: "zebra crossing" }),
};

async function worldOf(size: number) {
  const sandbox = await createSandbox({ seed: 1, clock: "frozen" });
  const tenant = hostOf(sandbox).defaultTenant;
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
      folder_uuid: `folder${i % 20}`,
      owner: `member${i % 10}`,
      tags: [`tag${i % 8}`],
      metadata: { order: String(i), source: "crm" },
      recipients: [{ ...recipient, contact_id: `contact${i % 20}` }],
    });
  }
  return { sandbox, key };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] as number;
}

/** For each filter and size: the median time of a whole request in ms, and the number of documents on the page. */
type Curve = Record<string, { whole: Record<number, number>; found: Record<number, number> }>;

export async function measureLists(): Promise<Curve> {
  const curve: Curve = Object.fromEntries(Object.keys(QUERIES).map((name) => [name, { whole: {}, found: {} }]));
  for (const size of SIZES) {
    const { sandbox, key } = await worldOf(size);
    for (const [name, make] of Object.entries(QUERIES)) {
      const times: number[] = [];
      for (let i = 0; i < RUNS; i++) {
        const start = performance.now();
        const response = await sandbox.fetch(`/public/v1/documents?${new URLSearchParams(make(size))}`, { headers: key });
        const { results } = (await response.json()) as { results: unknown[] };
        times.push(performance.now() - start);
        (curve[name] as Curve[string]).found[size] = results.length;
      }
      (curve[name] as Curve[string]).whole[size] = median(times);
    }
    await sandbox.close();
  }
  return curve;
}

/** The curve as a Markdown table. The column "times as much" compares the largest world with the smallest. */
export function listTable(curve: Curve): string {
  const [smallest, , largest] = SIZES;
  const rows = Object.entries(curve).map(([name, { whole, found }]) => {
    const times = SIZES.map((size) => `${(whole[size] as number).toFixed(2)} ms`);
    const ratio = (whole[largest] as number) / (whole[smallest] as number);
    return `| ${name} | ${times.join(" | ")} | ${ratio.toFixed(1)} | ${SIZES.map((size) => found[size]).join(" / ")} |`;
  });
  const heads = SIZES.map((size) => `of ${size.toLocaleString("en")}`);
  return [
    `| filter | ${heads.join(" | ")} | times as much | found |`,
    `|---|${SIZES.map(() => "---|").join("")}---|---|`,
    ...rows,
  ].join("\n");
}
