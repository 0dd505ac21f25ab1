/**
 * The differences between the official description and the served one that docdouble wants. Each class has one reason. `intended.txt` lists
 * every difference of a class, with both values. So a file that differs in another place, or in another value, is still reported.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { type Difference, DriftError, toLine } from "./compare.ts";

interface Class {
  id: string;
  reason: string;
  covers: (one: Difference, at: Where) => boolean;
}

/** What a place is about. `name` is the keyword of a value. */
interface Where {
  isAnswer: boolean;
  isRequest: boolean;
  name: string;
  ours: unknown;
  theirs: unknown;
}

function whereOf({ kind, place, ours, theirs }: Difference): Where {
  const [, , spot = ""] = place.split(" ");
  const parsed = (text: string | undefined): unknown => {
    try {
      return text === undefined ? undefined : JSON.parse(text);
    } catch {
      return text;
    }
  };
  return {
    isAnswer: kind !== "status" && /^\d/.test(spot),
    isRequest: /^(body|query|path)/.test(spot),
    name: kind === "value" ? (place.split(" ").at(-1) as string) : "",
    ours: parsed(ours),
    theirs: parsed(theirs),
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const holds = (whole: unknown, part: unknown): boolean =>
  Array.isArray(whole) && Array.isArray(part) && part.every((one) => whole.includes(one));
const BOUNDS = [
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "pattern",
  "format",
  "enum",
];

export const CLASSES: readonly Class[] = [
  {
    id: "newest-operations",
    reason: "Version 8.20.0 of the official description adds the operation.",
    covers: ({ kind, theirs }) => kind === "operation" && theirs === undefined,
  },
  {
    id: "further-statuses",
    reason: "docdouble names every error that it can answer with. The official description leaves some of them out.",
    covers: ({ kind, theirs }) => kind === "status" && theirs === undefined,
  },
  {
    id: "always-present",
    reason: "docdouble always gives the member. The official description does not promise it.",
    covers: (_, { isAnswer, name, ours }) => isAnswer && name === "required" && ours === true,
  },
  {
    id: "narrower-answers",
    reason: "Answers of docdouble keep a narrower type or bound than the official description states.",
    covers: (_, { isAnswer, name, ours, theirs }) =>
      isAnswer &&
      ((name === "type" && (theirs === undefined || (holds(theirs, ours) && listOf(theirs).length > listOf(ours).length))) ||
        (name === "enum" && holds(theirs, ours)) ||
        (BOUNDS.includes(name) && theirs === undefined)),
  },
  {
    id: "specified-events",
    reason:
      "The specification names the events document_created and document_completed. The official description lists them nowhere.",
    covers: (_, { name, ours, theirs }) => name === "enum" && holds(ours, theirs) && String(ours).includes("document_created"),
  },
  {
    id: "integers",
    reason: "The number counts things or pages, and docdouble takes and gives whole ones.",
    covers: (_, { name, ours, theirs }) => name === "type" && holds(ours, ["integer"]) && holds(theirs, ["number"]),
  },
  {
    id: "null-answers",
    reason: "Official examples or recorded answers show null here, against the schema.",
    covers: (_, { isAnswer, name, ours, theirs }) => isAnswer && name === "type" && holds(ours, theirs) && holds(ours, ["null"]),
  },
  {
    id: "unstated-bounds",
    reason:
      "Answers come from input that docdouble checks. So the served description does not repeat the bound, and the suite checks answers against the official description.",
    covers: (_, { isAnswer, name, ours }) => isAnswer && (BOUNDS.includes(name) || name === "default") && ours === undefined,
  },
  {
    id: "newest-members",
    reason: "Version 8.20.0 of the official description adds the member or changes the value.",
    covers: ({ place, ours }, { name }) =>
      ours !== undefined &&
      (/\.(date_sent|qes_status|editable|parse_text_tags|data_merge_enabled|thumbnail|total_qty|merged_data|reference_id)$/.test(
        place,
      ) ||
        (name === "type" && /\.columns\[\]\.hidden /.test(place)) ||
        (name === "enum" && /\.(billing_frequency|scope) /.test(place))),
  },
  {
    id: "documented-elsewhere",
    reason:
      "Official texts, examples, pages or recorded answers show the member. The schema leaves it out, or leaves the object open.",
    covers: ({ kind, theirs }) => kind === "member" && theirs === undefined,
  },
  {
    id: "open-objects",
    reason:
      "The official description leaves the members of the object open. docdouble names them, or leaves the whole value open.",
    covers: ({ kind, place, ours }) => kind === "member" && ours === undefined && place.endsWith(".*"),
  },
  {
    id: "open-values",
    reason: "The value can be anything that a client sent, so docdouble states no type or no single members.",
    covers: ({ kind, place }, { isAnswer, name, ours }) =>
      isAnswer &&
      ours === undefined &&
      ((name === "type" && /\.(request_body|response_body|value) type$/.test(place)) ||
        (kind === "member" && /\.(fields\[\]\.value\.\w+|kba_verification\.\w+)$/.test(place))),
  },
  {
    id: "open-search",
    reason: "The search promises a map of further values without names. docdouble gives those that it has.",
    covers: ({ kind, place, ours }) => kind === "member" && ours === undefined && place.includes(".extra_fields."),
  },
  {
    id: "roles-of-templates",
    reason: "A field of a template belongs to a role, as official examples show. The schema reuses the shape of a recipient.",
    covers: ({ place }, { isAnswer }) =>
      isAnswer &&
      /^GET \/public\/v1\/templates\/\{\}\/details 200\.(fields\[\]\.assigned_to|roles\[\]\.preassigned_person)\./.test(place),
  },
  {
    id: "checked-by-operations",
    reason:
      "The shape of a request is lenient. The operation itself refuses a missing or wrong value, or public clients and official examples leave it out.",
    covers: (_, { isRequest, name, ours }) =>
      isRequest && ((name === "required" && ours === false) || (BOUNDS.includes(name) && ours === undefined)),
  },
  {
    id: "null-requests",
    reason: "Public clients send null for a value that they do not have.",
    covers: (_, { isRequest, name, ours, theirs }) =>
      isRequest && name === "type" && holds(ours, theirs) && holds(ours, ["null"]),
  },
  {
    id: "narrower-requests",
    reason: "Without the value the request has no meaning, or texts of the official description state the bound.",
    covers: (_, { isRequest, name, ours, theirs }) =>
      isRequest &&
      ((name === "required" && ours === true) || ((BOUNDS.includes(name) || name === "type") && theirs === undefined)),
  },
  {
    id: "defaults",
    reason:
      "The operation applies the default, or the official description states the default in its text or by an example only.",
    covers: (_, { isRequest, name }) => isRequest && name === "default",
  },
  {
    id: "texts-of-queries",
    reason: "A query holds texts, and docdouble takes several values where a client repeats the parameter.",
    covers: (_, { name, ours }) => name === "type" && (holds(ours, ["string"]) || holds(ours, ["array"])),
  },
  {
    id: "equal-pattern",
    reason: "The pattern accepts the same passcodes, and takes linear time for hostile input.",
    covers: ({ place }, { name, ours }) => name === "pattern" && ours !== undefined && place.includes(".passcode "),
  },
];

/** @throws DriftError when no class covers it */
export function classOf(difference: Difference): Class {
  const found = CLASSES.find((one) => one.covers(difference, whereOf(difference)));
  if (found === undefined)
    throw new DriftError(`No class of bench/drift/intended.ts covers this difference: ${toLine(difference)}`);
  return found;
}

const LIST = new URL("./intended.txt", import.meta.url);
const ABSENT = "absent";

/** One line holds the operation, kind, keyword, both values, and all places of the operation where these differ in the same way. */
function toEntries(differences: readonly Difference[]): string {
  const lines = new Map<string, string[]>();
  for (const { kind, place, ours, theirs } of differences) {
    const [method, path, ...rest] = place.split(" ");
    const name = kind === "value" ? (rest.pop() as string) : "";
    const head = [`${method} ${path}`, kind, name, theirs ?? ABSENT, ours ?? ABSENT].join("\t");
    lines.set(head, [...(lines.get(head) ?? []), rest.join(" ")]);
  }
  return [...lines].map(([head, places]) => `${head}\t${places.join(" ")}\n`).join("");
}

function fromEntries(text: string): Difference[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const [operation, kind, name, theirs, ours, places = ""] = line.split("\t");
      return places.split(" ").map((place) => ({
        kind: kind as Difference["kind"],
        place: [operation, place, name].filter((one) => one !== "").join(" "),
        ours: ours === ABSENT ? undefined : ours,
        theirs: theirs === ABSENT ? undefined : theirs,
      }));
    });
}

export interface Explained {
  /** The differences that nobody has decided on. */
  open: Difference[];
  intended: (Difference & { reason: string })[];
  /** Entries of the list without a difference. The file changed there, and now agrees with docdouble. */
  unused: Difference[];
}

const operationOf = ({ place }: Difference): string => place.split(" ", 2).join(" ");

/**
 * Tells intended differences from others. The list is about the official description and its next versions. It does not count for a file that
 * has less than half of its entries, such as an altered copy of what docdouble serves.
 */
export function explain(differences: readonly Difference[], list = fromEntries(readFileSync(LIST, "utf8"))): Explained {
  const gone = new Set(differences.filter((one) => one.kind === "operation" && one.theirs === undefined).map(operationOf));
  const found = new Set(differences.map(toLine));
  const relevant = list.filter((one) => one.kind === "operation" || !gone.has(operationOf(one)));
  const used = relevant.filter((one) => found.has(toLine(one)));
  if (used.length * 2 < relevant.length) return { open: [...differences], intended: [], unused: [] };
  const listed = new Set(used.map(toLine));
  return {
    open: differences.filter((one) => !listed.has(toLine(one))),
    intended: used.map((one) => ({ ...one, reason: classOf(one).reason })),
    unused: relevant.filter((one) => !found.has(toLine(one))),
  };
}

/** Replaces the list. @throws DriftError when a difference has no class */
export function accept(differences: readonly Difference[]): void {
  for (const one of differences) classOf(one);
  const text = toEntries(differences);
  if (fromEntries(text).map(toLine).sort().join() !== differences.map(toLine).sort().join())
    throw new DriftError("A place of the file holds a space or a tab, so the list cannot name it.");
  writeFileSync(LIST, text);
}
