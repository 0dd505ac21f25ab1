/** What each member of a body, query or answer means. The sentences are data, in `member-descriptions.json`. */
import sentences from "./member-descriptions.json" with { type: "json" };

/**
 * A key is a member's name, the end of its path (`recipients.role`), or an operation and the end of a path (`createDocument
 * body.name`). The longest key wins, and keys with an operation come first. `{thing}` and `{things}` stand for the owner of the
 * member.
 */
const SENTENCES: Readonly<Record<string, string>> = sentences;

const NOUNS: Readonly<Record<string, string>> = {
  assigned_to: "recipient",
  children: "child object",
  cli: "content library item",
  content_placeholders: "placeholder",
  created_by: "creator",
  default_price_configuration: "price",
  docx_items: "file",
  group: "approver group",
  images: "image block",
  item_or_uuid: "item",
  members: "group member",
  price_configurations: "price",
  results: "extracted value",
  sent_by: "sender",
  steps: "approval step",
  texts: "text block",
  tokens: "variable",
};

const SUBJECTS: Readonly<Record<string, string>> = {
  "OAuth 2.0 Authentication": "token",
  "Document Reminders": "reminder",
  "Document Link to CRM": "linked object",
  "Document Attachments": "attachment",
  "Document Audit Trail": "recorded action",
  "Document Recipients": "recipient",
  "Document Sections (Bundles)": "section",
  "Document Structure View": "outline entry",
  "Content Library Items": "content library item",
  Templates: "template",
  Forms: "form",
  Folders: "folder",
  "API Logs": "logged call",
  Contacts: "contact",
  Members: "member",
  "Webhook subscriptions": "subscription",
  "Webhook events": "delivery",
  Notary: "notarization request",
  "Product catalog": "catalog item",
  Quotes: "quote",
  "User and Workspace management": "user",
  "Privacy settings": "workspace",
  "Communication Preferences": "phone number",
};

const SUBJECTS_OF_OPERATIONS: Readonly<Record<string, string>> = {
  createDocumentEditingSession: "editing session",
  createDocumentLink: "signing session",
  createExportDocxTask: "export",
  createTemplateEditingSession: "editing session",
  createWorkspace: "workspace",
  getDocumentAiMetadata: "extracted value",
  getDocxExportTask: "export",
  getWorkspacesList: "workspace",
  listDocumentsByLinkedObject: "document",
  listNotaries: "notary",
  updateWorkspace: "workspace",
};

const WRAPPERS = ["answer", "body", "query", "path", "results", "items", "data", "result", "value", "*"];

type Json = Record<string, unknown>;

export interface Described {
  operationId: string;
  group: string;
  route: string;
}

export function withDescriptions(operation: Described, place: "path" | "query" | "body" | "answer", schema: Json): Json {
  return describeInside(operation, schema, [place]);
}

function describeInside(operation: Described, schema: Json, path: readonly string[]): Json {
  const inside = (one: Json, name?: string) => {
    if (name === undefined) return describeInside(operation, one, path);
    const inner = [...path, name];
    // A note on the type, such as "Always null.", follows the sentence.
    const description = [sentenceFor(operation, inner), one.description].filter(Boolean).join(" ");
    const described = describeInside(operation, one, inner);
    return description === "" ? described : { ...described, description };
  };
  const { properties, items, additionalProperties } = schema as {
    properties?: Json;
    items?: Json;
    additionalProperties?: unknown;
  };
  const choices = CHOICES.flatMap((kind) =>
    Array.isArray(schema[kind]) ? [[kind, schema[kind].map((one) => inside(one))]] : [],
  );
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inside(one as Json, name)])),
    }),
    ...(items && { items: inside(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: inside(additionalProperties as Json, "*") }),
    ...Object.fromEntries(choices),
  };
}

const CHOICES = ["anyOf", "oneOf", "allOf"] as const;

/** Undefined where the table has no sentence. */
function sentenceFor({ operationId, group, route }: Described, path: readonly string[]): string | undefined {
  const ends = path.map((_, i) => path.slice(i).join("."));
  const key = [...ends.map((end) => `${operationId} ${end}`), ...ends].find((one) => SENTENCES[one] !== undefined);
  if (key === undefined) return undefined;
  const thing = parentNoun(path, route) ?? SUBJECTS_OF_OPERATIONS[operationId] ?? SUBJECTS[group] ?? "document";
  return SENTENCES[key]?.replaceAll("{things}", () => plural(thing)).replaceAll("{thing}", () => thing);
}

function parentNoun(path: readonly string[], route: string): string | undefined {
  if (path[0] === "path") return singular(/\/([\w-]+)\/\{id\}/.exec(route)?.[1]?.replaceAll("-", " ") ?? "documents");
  const parent = path.at(-2) ?? "";
  // `items` of a table are its rows, so only wrappers at the top count.
  const isWrapper = WRAPPERS.includes(parent) && path.length <= 3;
  return isWrapper ? undefined : (NOUNS[parent] ?? singular(parent.replaceAll("_", " ")));
}

function singular(words: string): string {
  return words.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}

function plural(words: string): string {
  return words.endsWith("y") ? words.replace(/y$/, "ies") : `${words}s`;
}
