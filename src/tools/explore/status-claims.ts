import type { Service } from "../../engine/runtime/service.ts";
import type { Recorded } from "./recording.ts";

export interface Claim {
  document: string | undefined;
  status: string;
}

const DEPTH_MAX = 6;
const NODES_MAX = 2000;

/** The statuses by the words of clients: with and without the noun before the dot. */
function wordsOf({ language, subjects }: Service): ReadonlyMap<string, string> {
  return new Map([
    ...language.statuses.flatMap((status): [string, string][] => [
      [status, status],
      [status.replace(`document.`, ""), status],
    ]),
    ...Object.entries(subjects.otherWords),
    ["deleted", "deleted"],
  ]);
}

/** Reads `{ id, status }`, `{ [id]: status }`, lists and maps of them, and single statuses without a document. */
export function claimsOf(value: unknown, documents: readonly Pick<Recorded, "id">[], service: Service): Claim[] {
  const words = wordsOf(service);
  const ids = new Set(documents.map((row) => row.id));
  const claims: Claim[] = [];
  const statusOf = (one: unknown) => (typeof one === "string" ? words.get(one) : undefined);
  const seen = new Set<object>();
  const walk = (one: unknown, document: string | undefined, depth: number): void => {
    const status = statusOf(one);
    if (status !== undefined) claims.push({ document, status });
    if (typeof one !== "object" || one === null || seen.has(one) || depth > DEPTH_MAX || seen.size > NODES_MAX) return;
    if (ArrayBuffer.isView(one) || one instanceof ArrayBuffer) return;
    seen.add(one);
    const members: [unknown, unknown][] = one instanceof Map ? [...one] : Object.entries(one);
    const id = members.map(([, member]) => member).find((member) => typeof member === "string" && ids.has(member));
    const about = typeof id === "string" && !Array.isArray(one) ? id : document;
    const list = one instanceof Set ? [...one].map((member): [unknown, unknown] => ["", member]) : members;
    for (const [name, member] of list) {
      if (statusOf(member) !== undefined && !isStatusName(name, ids)) continue;
      walk(member, typeof name === "string" && ids.has(name) ? name : about, depth + 1);
    }
  };
  walk(value, undefined, 0);
  return claims;
}

/** The name of a person or a title may be a word such as `sent`, too. */
function isStatusName(name: unknown, ids: ReadonlySet<string>): boolean {
  return (
    name === "" || /^\d+$/.test(String(name)) || ids.has(String(name)) || /stat(e|us)|result|outcome|end/i.test(String(name))
  );
}

const truth = (row: Recorded) => (row.isDeleted ? "deleted" : row.status);

/** The claims that no document meets. A claim without an id concerns every document that the client created. */
export function wrongClaims(claims: readonly Claim[], documents: readonly Recorded[], made: ReadonlySet<string>): Claim[] {
  return claims.filter((claim) => {
    const about = subjectsOf(claim, documents, made);
    return about.length > 0 && !about.some((row) => truth(row) === claim.status);
  });
}

export function actualStatusOf(claim: Claim, documents: readonly Recorded[], made: ReadonlySet<string>): string {
  return [...new Set(subjectsOf(claim, documents, made).map(truth))].join(" or ");
}

function subjectsOf({ document }: Claim, documents: readonly Recorded[], made: ReadonlySet<string>): Recorded[] {
  return documents.filter((row) => (document === undefined ? made.has(row.id) : row.id === document));
}
