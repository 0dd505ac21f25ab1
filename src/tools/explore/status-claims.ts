import type { Service } from "../../engine/runtime/service.ts";
import type { Recorded } from "./recording.ts";

export interface Claim {
  document: string | undefined;
  status: string;
}

const DEPTH_MAX = 6;

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

/** Reads `{ id, status }`, `{ [id]: status }`, lists of them, and single statuses without a document. */
export function claimsOf(value: unknown, documents: readonly Pick<Recorded, "id">[], service: Service): Claim[] {
  const words = wordsOf(service);
  const ids = new Set(documents.map((row) => row.id));
  const statusOf = (one: unknown) => (typeof one === "string" ? words.get(one) : undefined);
  const read = (one: unknown, document: string | undefined, depth: number): Claim[] => {
    const status = statusOf(one);
    if (status !== undefined) return [{ document, status }];
    if (typeof one !== "object" || one === null || depth > DEPTH_MAX || ArrayBuffer.isView(one)) return [];
    if (Array.isArray(one)) return one.flatMap((entry) => read(entry, document, depth + 1));
    const members = Object.entries(one as Record<string, unknown>);
    const id = members.map(([, member]) => member).find((member) => typeof member === "string" && ids.has(member));
    return members.flatMap(([name, member]) =>
      statusOf(member) !== undefined && !isStatusName(name, ids)
        ? []
        : read(member, ids.has(name) ? name : ((id as string | undefined) ?? document), depth + 1),
    );
  };
  return read(value, undefined, 0);
}

/** The name of a person or a title may be a word such as `sent`, too. */
function isStatusName(name: string, ids: ReadonlySet<string>): boolean {
  return ids.has(name) || /^\d+$|stat(e|us)|result|outcome|end/i.test(name);
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
