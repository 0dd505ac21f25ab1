/** The tools that create documents and templates. */
import * as z from "zod";
import type { OperationId } from "../../../nouns/index.ts";
import { shownStatus } from "../statuses.ts";
import { type OperationRequest, optional, type Tool, tool, type ToolContext } from "../tool.ts";

const text = (description: string) => optional(z.string(), description);
/** The operation checks the entries of these lists and maps, so that its own refusals reach the agent. assumed: mcp.nested_members. */
const entries = (description: string) => optional(z.array(z.looseObject({})), description);
const members = (description: string) => optional(z.looseObject({}), description);

export const recipientList = () =>
  z.array(
    z.looseObject({
      email: optional(z.string(), "The email address."),
      first_name: optional(z.string(), "The first name."),
      last_name: optional(z.string(), "The last name."),
      role: optional(z.string(), "A role of the template. Upper and lower case count."),
      signing_order: optional(z.number().int(), "The position in the signing order, from 1."),
      delivery_methods: optional(
        z.looseObject({ email: optional(z.boolean(), "By email."), sms: optional(z.boolean(), "By text message.") }),
        "How the recipient gets the document.",
      ),
      verification_settings: members("How the recipient proves who they are."),
    }),
  );

const fieldMap = () => optional(z.record(z.string(), z.looseObject({})), 'Values by merge name: {"Name": {"value": …}}.');
export const tokenList = () =>
  optional(z.array(z.looseObject({ name: z.string(), value: z.string() })), "Values of tokens: [{name, value}].");
export const tagList = () => optional(z.array(z.string()), "Tags of the document.");
export const contentMembers = () => ({
  fields: fieldMap(),
  texts: entries("Texts of text blocks: [{name, data}]."),
  tokens: tokenList(),
  pricing_tables: entries("Rows of pricing tables. Each row needs data and options."),
  tables: entries("Rows of tables."),
  images: entries("Addresses of images: [{name, urls}]."),
});

const fromTemplate = () => ({
  template_uuid: z.string().min(1).describe("The id of the template."),
  name: z.string().min(1).describe("The name of the document."),
  recipients: recipientList().describe("The people of the document, each with a role of the template."),
  ...contentMembers(),
  content_placeholders: entries("Items of the content library for placeholders."),
  tags: tagList(),
  folder_uuid: text("The folder of the document."),
  metadata: members("Your own values by name."),
  owner: members("Who owns the document: {email} or {membership_id}."),
});

const fromMarkdown = () => ({
  name: z.string().min(1).describe("The name of the document."),
  document_markdown: z.string().min(1).describe("The text in Markdown, with [Variable] and [[field]]."),
  recipients: optional(recipientList(), "The people of the document. They become CC recipients."),
  role_fields: optional(z.record(z.string(), z.array(z.string())), "Names of fields by role."),
  folder_id: text("The folder of the document."),
});

const fromFile = () => ({
  url: z.string().min(1).describe("The https address of a PDF that the service can fetch."),
  name: z.string().min(1).describe("The name of the document."),
  recipients: optional(recipientList(), "The people of the document, each with a role of the field tags."),
  fields: fieldMap(),
  parse_form_fields: optional(z.boolean(), "Whether form fields of the PDF become fields."),
});

const createInput = z.strictObject({
  request: z
    .discriminatedUnion("source", [
      z.strictObject({ source: z.literal("template"), ...fromTemplate() }),
      z.strictObject({ source: z.literal("markdown"), ...fromMarkdown() }),
      z.strictObject({ source: z.literal("file"), ...fromFile() }),
    ])
    .describe("What to create. The source says from what."),
});

type Markdown = z.output<z.ZodObject<ReturnType<typeof fromMarkdown>>>;
type Request = z.output<typeof createInput>["request"];

function markdownForm({ name, document_markdown, recipients, role_fields, folder_id }: Markdown): OperationRequest {
  const form = new FormData();
  form.append("file", new Blob([document_markdown], { type: "text/markdown" }), "document.md");
  form.append("data", JSON.stringify({ name, recipients, fields_mapping: role_fields, folder_uuid: folder_id }));
  return { form };
}

function requestOf(request: Request): OperationRequest {
  if (request.source === "markdown") return markdownForm(request);
  const { source: _, ...body } = request;
  return { body };
}

const CREATED = ["id", "name", "status", "date_created", "date_modified", "version", "uuid", "links", "info_message"] as const;

function toCreated(body: Record<string, unknown>, _: unknown, { documentUrl }: ToolContext) {
  return {
    ...Object.fromEntries(CREATED.map((name) => [name, body[name]])),
    status: shownStatus(String(body.status)),
    document_url: documentUrl(String(body.id)),
  };
}

const operationOf = (request: Request): OperationId =>
  request.source === "markdown" ? "createDocumentFromMarkdownUpload" : "createDocument";

export const creatingTools: readonly Tool[] = [
  tool({
    name: "documents_create",
    title: "Create a document",
    description:
      "Creates a draft from a template, from Markdown or from a PDF at an address. The service works on it for some seconds. Poll documents_status_get until the status is Draft.",
    kind: "writes",
    input: createInput,
    operation: ({ request }) => operationOf(request),
    request: ({ request }) => requestOf(request),
    result: toCreated,
  }),
  tool({
    name: "templates_create",
    title: "Create a template",
    description: "Creates a template from a PDF at a public https address. It takes no upload.",
    kind: "writes",
    input: z.strictObject({
      url: z.string().min(1).describe("The https address of the PDF."),
      name: text("The name of the template."),
      folder_uuid: text("The folder of the template."),
      tokens: tokenList(),
      owner_email: text("The email address of the owner."),
    }),
    operation: "createTemplate",
    request: ({ owner_email, ...body }) => ({
      body: { ...body, ...(owner_email === undefined ? {} : { owner: { email: owner_email } }) },
    }),
    result: (body) => body,
  }),
];
