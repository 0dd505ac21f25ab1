import * as z from "zod";
import { instant, queryInt } from "../../../engine/core/inputs.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { table } from "../../../engine/store/collection.ts";
import type { Row } from "../../../engine/store/row.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import { dateTime } from "../documents/answers.ts";
import { notarizationDetails } from "./files.ts";
import * as notary from "./requests.ts";

export const NOTARY_STATUSES = ["INVITED", "UNDER_REVIEW", "ACTIVE", "REJECTED", "INACTIVE"] as const;

export const REQUEST_STATUSES = [
  "DRAFT",
  "SENT",
  "WAITING_FOR_NOTARY",
  "ACCEPTED",
  "LIVE",
  "COMPLETED",
  "INCOMPLETE",
  "CANCELLED",
] as const;

export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const TERMINATION_REASONS = [
  "SIGNER_NO_SHOW",
  "AUDIO_VIDEO_ISSUE",
  "FAILED_IDENTITY_VERIFICATION",
  "TEST_SESSION",
  "OTHER",
] as const;

export const NOTARY_ACTS = ["join", "accept", "go_live", "complete", "incomplete", "cancel"] as const;

export type NotaryAct = (typeof NOTARY_ACTS)[number];

export interface NotaryRow extends Row {
  workspace_id: string;
  email: string;
  name: string | null;
  status: (typeof NOTARY_STATUSES)[number];
  commission_state: string | null;
}

export interface NotarizationRow extends Row {
  workspace_id: string;
  name: string;
  status: RequestStatus;
  document_id: string;
  message: string | null;
  disable_invitees_notifications: boolean;
  invitees: { id: string; email: string; first_name: string; last_name: string }[];
  /** The organization's own notary; null for a notary on duty. */
  notary: { id: string; scheduled_at: number; message: string | null } | null;
  created_by: string;
  date_created: number;
  date_accepted: number | null;
  date_started: number | null;
  date_completed: number | null;
  termination_reason: (typeof TERMINATION_REASONS)[number] | null;
  termination_details: string | null;
  signed: { file_id: string; type: "COMBINED" | "SINGLE" }[];
  recorded: boolean;
}

export interface NotaryLinkRow extends Row {
  notarization_id: string;
  file_id: string | "recording";
  expires_at: number;
}

export const notaryTables = {
  notaries: table<NotaryRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
  notarizations: table<NotarizationRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
  notary_links: table<NotaryLinkRow>()({ indexes: { notarization: (row) => row.notarization_id } }),
};

function values<T extends z.ZodType>(item: T, max: number) {
  return z.preprocess(
    (value) => (value === undefined ? undefined : [value].flat().flatMap((one) => String(one).split(","))),
    z.array(item).max(max).optional(),
  );
}

export const notariesQuery = lazy(() =>
  z.object({
    status: values(z.enum(NOTARY_STATUSES), 10),
    commission_state: values(z.string().max(50), 20),
    offset: queryInt({ min: 0 }).default(0),
    limit: queryInt({ min: 1, max: 100 }).default(50),
    order_by: z.enum(["email", "-email", "status", "-status", "name", "-name"]).default("email"),
  }),
);
export type NotariesQuery = z.infer<ReturnType<typeof notariesQuery>>;

export const notarizationsQuery = lazy(() =>
  z.object({
    status: values(z.enum(REQUEST_STATUSES), 10),
    created_by_user_id: values(z.string(), 30),
    document_id: values(z.string(), 30),
    offset: queryInt({ min: 0 }).default(0),
    limit: queryInt({ min: 1, max: 100 }).default(50),
    order_by: z
      .enum(["status", "-status", "date_created", "-date_created", "date_completed", "-date_completed"])
      .default("date_created"),
  }),
);
export type NotarizationsQuery = z.infer<ReturnType<typeof notarizationsQuery>>;

export const notarizationInput = lazy(() =>
  z.object({
    document_id: z.string().max(50),
    disable_invitees_notifications: z.boolean().nullish(),
    invitation: z.object({
      message: z.string().optional(),
      invitees: z
        .array(
          z.object({
            email: z.email().max(255),
            first_name: z.string().max(50).nullish(),
            last_name: z.string().max(50).nullish(),
          }),
        )
        .min(1),
    }),
    notary: z.object({ id: z.string(), scheduled_at: instant(), message: z.string().optional() }).optional(),
  }),
);
export type NotarizationInput = z.infer<ReturnType<typeof notarizationInput>>;

export const notaryActInput = lazy(() =>
  z.strictObject({
    reason: z.enum(TERMINATION_REASONS).optional(),
    details: z.string().optional(),
    recording: z.boolean().optional(),
  }),
);
export type NotaryActInput = z.infer<ReturnType<typeof notaryActInput>>;

export const notaryList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        email: z.string(),
        name: z.string().nullable(),
        status: z.enum(NOTARY_STATUSES),
        commission_state: z.string().nullable(),
      }),
    ),
    count: z.number().int(),
  }),
);

export const requestList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        status: z.enum(REQUEST_STATUSES),
        name: z.string(),
        document_id: z.string(),
        date_created: dateTime(),
        date_started: dateTime().nullable(),
        date_completed: dateTime().nullable(),
        created_by_user_id: z.string(),
      }),
    ),
    count: z.number().int(),
  }),
);

const author = () => z.strictObject({ user_id: z.string(), email: z.string(), first_name: z.string(), last_name: z.string() });

const invitee = () => ({ id: z.string(), email: z.string(), first_name: z.string(), last_name: z.string() });

export const createdRequest = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    status: z.enum(REQUEST_STATUSES),
    date_created: dateTime(),
    date_accepted: dateTime().nullable(),
    created_by: author(),
    invitees: z.array(z.strictObject({ ...invitee(), notarization_link: z.string() })),
  }),
);

export const details = lazy(() =>
  z.strictObject({
    id: z.string(),
    status: z.enum(REQUEST_STATUSES),
    document_id: z.string(),
    date_created: dateTime(),
    date_started: dateTime().nullable(),
    date_completed: dateTime().nullable(),
    created_by: author(),
    invitees: z.array(z.strictObject(invitee())),
    signed_documents: z.array(
      z.strictObject({
        url: z.string(),
        document_name: z.string(),
        size: z.number().int(),
        document_type: z.enum(["COMBINED", "SINGLE"]),
      }),
    ),
    recording: z.strictObject({ url: z.string(), name: z.string(), size: z.number().int() }).nullable(),
    termination_reason: z.enum(TERMINATION_REASONS).nullable(),
    termination_details: z.string().nullable(),
  }),
);

export const notaryGroup = group("Notary", [
  operation({
    id: "listNotaries",
    route: "GET /public/v2/notary/notaries",
    query: notariesQuery,
    responses: { 200: notaryList },
    errors: [400, 403, 429],
    handle: ({ query }, world) => ok(notary.listNotaries(world, query)),
  }),
  operation({
    id: "listNotarizationRequests",
    route: "GET /public/v2/notary/notarization-requests",
    query: notarizationsQuery,
    responses: { 200: requestList },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ok(notary.listNotarizations(world, query)),
  }),
  operation({
    id: "createNotarizationRequest",
    route: "POST /public/v2/notary/notarization-requests",
    secret: { response: ["notarization_link"] },
    body: notarizationInput,
    responses: { 201: createdRequest },
    errors: [400, 401, 403, 429],
    limits: "docdouble has no page for the session. The admin API plays the invitees and the notary.",
    handle: ({ body }, world) => created(notary.toCreatedNotarization(world, notary.createNotarization(world, body))),
  }),
  operation({
    id: "notarizationRequestDetails",
    route: "GET /public/v2/notary/notarization-requests/{session_request_id}",
    responses: { 200: details },
    errors: [],
    handle: ({ params }, world) => ok(notarizationDetails(world, params.session_request_id)),
  }),
  operation({
    id: "deleteNotarizationRequest",
    route: "DELETE /public/v2/notary/notarization-requests/{session_request_id}",
    responses: { 204: null },
    errors: [400, 403, 404, 429],
    handle: ({ params }, world) => notary.deleteNotarization(world, params.session_request_id),
  }),
]);
