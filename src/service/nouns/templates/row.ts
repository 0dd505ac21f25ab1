import * as z from "zod";
import { listOf, queryBool, queryInt, uploadedFile } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import { editable, fileUrl } from "../../kit/inputs.ts";
import type { ApprovalStep, Content, ConversionState } from "../content/row.ts";
import { memberInput, metadata, tokens } from "../content/row.ts";

export interface TemplateRole {
  id: string;
  name: string;
  signing_order: number | null;
  /** How recipients with this role are reached by default. Only fixtures set it. */
  delivery_methods?: { email: boolean; sms: boolean };
  preassigned_person: { email: string | null; first_name: string | null; last_name: string | null; type: string } | null;
}

export interface ReusableRow extends Row, Content {
  workspace_id: string;
  name: string;
  version: string;
  folder_uuid: string | null;
  date_created: number;
  date_modified: number;
  content_date_modified: number;
  created_by: string;
  metadata: Record<string, string>;
  tags: string[];
  roles: TemplateRole[];
  content_placeholders: { uuid: string; block_id: string; description: string }[];
}

export interface TemplateRow extends ReusableRow {
  status: "template.UPLOADED" | "template.PROCESSED" | "template.ERROR";
  owner: string;
  internal: {
    deleted_at: number | null;
    shared: boolean;
    /** Other workspaces that use the template. */
    shared_with: string[];
    /** A template of the vendor's gallery: readable, but not usable. */
    gallery: boolean;
    language: string;
    approval: { steps: ApprovalStep[] } | null;
    payment: { provider: string; amount: string | null; currency: string } | null;
    file_id: string | null;
    conversion: ConversionState;
  };
}

export interface EditingSessionRow extends Row {
  kind: "document" | "template";
  subject_id: string;
  workspace_id: string;
  user_id: string;
  email: string;
  token: string;
  created_at: number;
  expires_at: number;
  replaced: boolean;
}

export const editingSessionTables = {
  editing_sessions: table<EditingSessionRow>()({
    bound: { maxRows: 10_000 },
    indexes: { subject: (row) => `${row.kind}:${row.subject_id}`, token: (row) => row.token },
  }),
};

export const templateTables = {
  templates: table<TemplateRow>()({ indexes: { folder: (row) => row.folder_uuid } }),
};

const extraFields = () =>
  listOf(
    z.string().superRefine((list, context) => {
      for (const name of list.split(","))
        if (name !== "content_date_modified") context.addIssue({ code: "custom", message: `"${name}" is not a valid choice.` });
    }),
  );

/** The service refuses an empty value, as public clients found. */
export const listQuery = lazy(() =>
  z.object({
    q: z.string().min(1).optional(),
    shared: queryBool().optional(),
    deleted: queryBool().optional(),
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
    id: z.string().min(1).optional(),
    folder_uuid: z.string().min(1).optional(),
    tag: listOf(z.string().min(1)),
    fields: extraFields(),
  }),
);

export const createQuery = lazy(() => z.object({ fields: extraFields() }));

const createMembers = () => ({
  name: z.string().min(1).optional(),
  folder_uuid: z.string().optional(),
  owner: memberInput().optional(),
  metadata: metadata(),
  tokens: tokens().optional(),
  editable: editable(),
});

export const createRequest = lazy(() => z.object({ ...createMembers(), url: fileUrl().optional() }));

export const uploadRequest = lazy(() => z.object({ file: uploadedFile(), data: z.object(createMembers()).optional() }));

export const duplicateRequest = lazy(() => z.object({ name: z.string().max(255).optional() }));

export const updateRequest = lazy(() =>
  z.object({
    tokens: tokens().optional(),
    roles: z
      .array(
        z.object({
          id: z.string().optional(),
          name: z.string().min(1).max(255),
          signing_order: z.number().int().min(1).nullish(),
        }),
      )
      .optional(),
  }),
);

export const editingSessionRequest = lazy(() =>
  z.object({ email: z.email(), lifetime: z.number().int().min(60).max(86_400).default(3600) }),
);

export const templateSettingsRequest = lazy(() => z.object({ language: z.enum(LANGUAGES).optional() }));

export const templateSharesRequest = lazy(() => z.object({ workspace_ids: z.array(z.string().min(1)) }));

export const LANGUAGES = [
  "en-US",
  "fr-FR",
  "it-IT",
  "es-ES",
  "nl-NL",
  "de-DE",
  "pt-BR",
  "pt-PT",
  "pl-PL",
  "sv-SE",
  "cs-CZ",
  "da-DK",
  "el-GR",
  "hu-HU",
  "nb-NO",
  "ro-RO",
  "bg-BG",
] as const;

export type TemplateQuery = z.infer<ReturnType<typeof listQuery>>;
export type TemplateInput = z.infer<ReturnType<typeof createRequest>>;
export type TemplateUpdate = z.infer<ReturnType<typeof updateRequest>>;
export type EditingSessionInput = z.infer<ReturnType<typeof editingSessionRequest>>;
export type TemplateSharesInput = z.infer<ReturnType<typeof templateSharesRequest>>;
export type TemplateSettingsInput = z.infer<ReturnType<typeof templateSettingsRequest>>;
