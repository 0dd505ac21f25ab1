/** The kinds of things that a probe creates: how the service lists them, shows one, and names it. */
import { at, listAt } from "./service.ts";
import type { Marks } from "./marks.ts";

interface Kind {
  path: string;
  idMember: string;
  listMember: string;
  /** The members that carry a name or an address of the run. */
  nameMembers: readonly string[];
  addressMembers: readonly string[];
  /** The target of a page of the list, from 1. Undefined after the last page. A filter is only a wish: it may be ignored. */
  list(page: number, filter?: string): string | undefined;
}

/** More pages than this count as a list without an end. */
export const PAGES_MAX = 10;
/** A page with fewer entries is the last one. No list has a smaller page by default. */
export const PAGE_MIN = 50;
const PAGE = "100";

function onePage(path: string): Kind["list"] {
  return (page) => (page === 1 ? path : undefined);
}

function paged(path: string, filterName: string, more: Record<string, string>): Kind["list"] {
  return (page, filter) =>
    page > PAGES_MAX
      ? undefined
      : `${path}?${new URLSearchParams({ ...(filter === undefined ? {} : { [filterName]: filter }), ...more, page: String(page) })}`;
}

const DOCUMENTS = "/public/v1/documents";
const CONTACTS = "/public/v1/contacts";
const ITEMS = "/public/v2/product-catalog/items";
const TEMPLATES = "/public/v1/templates";
const SUBSCRIPTIONS = "/public/v1/webhook-subscriptions";

export const KINDS = {
  document: {
    path: DOCUMENTS,
    idMember: "id",
    listMember: "results",
    nameMembers: ["name"],
    addressMembers: [],
    // The newest come first, because the probe made its things just now.
    list: paged(DOCUMENTS, "q", { order_by: "-date_created", count: PAGE }),
  },
  contact: {
    path: CONTACTS,
    idMember: "id",
    listMember: "results",
    nameMembers: ["company"],
    addressMembers: ["email"],
    list: (page, filter) =>
      page > 1 ? undefined : filter === undefined ? CONTACTS : `${CONTACTS}?email=${encodeURIComponent(filter)}`,
  },
  "catalog item": {
    path: ITEMS,
    idMember: "uuid",
    listMember: "items",
    nameMembers: ["title"],
    addressMembers: [],
    list: paged(`${ITEMS}/search`, "query", { order_by: "-date_modified", per_page: PAGE }),
  },
  template: {
    path: TEMPLATES,
    idMember: "id",
    listMember: "results",
    nameMembers: ["name"],
    addressMembers: [],
    list: paged(TEMPLATES, "q", { count: PAGE }),
  },
  "webhook subscription": {
    path: SUBSCRIPTIONS,
    idMember: "uuid",
    listMember: "items",
    nameMembers: ["name"],
    addressMembers: [],
    list: onePage(SUBSCRIPTIONS),
  },
} as const satisfies Record<string, Kind>;

export type CreatedKind = keyof typeof KINDS;
export const CREATED_KINDS = Object.keys(KINDS) as CreatedKind[];

function kindOf(kind: CreatedKind): Kind {
  return KINDS[kind];
}

export interface Entry {
  id: string;
  /** The first name or address of the run in the entry; undefined for a thing of somebody else. */
  mark: string | undefined;
}

/** What the members of one thing say about it. Undefined without an id. */
export function entryOf(kind: CreatedKind, json: unknown, marks: Marks): Entry | undefined {
  const { idMember, nameMembers, addressMembers } = kindOf(kind);
  const id = at(json, idMember);
  if (typeof id !== "string") return undefined;
  const name = nameMembers.map((member) => at(json, member)).find((one) => marks.hasName(one));
  const address = addressMembers.map((member) => at(json, member)).find((one) => marks.hasAddress(one));
  const mark = name ?? address;
  return { id, mark: typeof mark === "string" ? mark : undefined };
}

export function entriesOf(kind: CreatedKind, json: unknown, marks: Marks): Entry[] {
  return listAt(json, kindOf(kind).listMember).flatMap((one) => entryOf(kind, one, marks) ?? []);
}

/** An id in a path. Another text, such as `..`, could lead the call to another thing. */
export function isId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id);
}

export interface Subject {
  kind: CreatedKind;
  /** Undefined for the list of all things. */
  id: string | undefined;
  /** What follows the id. */
  rest: string;
}

const SUBJECT =
  /^\/public\/(?:v1|v2|beta)\/(documents|contacts|templates|webhook-subscriptions|product-catalog\/items)(?:\/([^/]*))?(\/.*)?$/;
const BY_SEGMENT: Record<string, CreatedKind> = {
  documents: "document",
  contacts: "contact",
  templates: "template",
  "webhook-subscriptions": "webhook subscription",
  "product-catalog/items": "catalog item",
};

/** The thing that a call is about. Undefined for other paths. */
export function subjectOf(target: string): Subject | undefined {
  const [path = ""] = target.split("?", 1);
  const match = SUBJECT.exec(path);
  const kind = BY_SEGMENT[match?.[1] ?? ""];
  if (match === null || kind === undefined) return undefined;
  const id = kind === "catalog item" && match[2] === "search" ? undefined : match[2] || undefined;
  return { kind, id, rest: match[3] ?? "" };
}

/** A POST that makes a new thing. */
export function isCreation({ id, kind, rest }: Subject): boolean {
  return id === undefined || (kind === "template" && rest === "/duplicate");
}
