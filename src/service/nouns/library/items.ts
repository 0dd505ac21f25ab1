import * as z from "zod";
import type { ApiError } from "../../../engine/core/errors.ts";
import { notFound } from "../../../engine/core/errors.ts";
import { queryBool, queryInt, uploadedFile } from "../../../engine/core/inputs.ts";
import { byCreation, pageOf } from "../../../engine/core/lists.ts";
import type { UploadedFile } from "../../../engine/core/operation.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { table } from "../../../engine/store/collection.ts";
import { editable, fileUrl } from "../../kit/inputs.ts";
import { list, oneOf, optional, text, texts, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { emptyContent } from "../content/content.ts";
import type { ConversionKind } from "../content/file-conversion.ts";
import { newConversion, sourceOf, startConversion, withFileContent } from "../content/file-conversion.ts";
import type { ConversionState } from "../content/row.ts";
import { fieldValues } from "../content/row.ts";
import type { EventName } from "../documents/status-machine.ts";
import { personOf, personView } from "../members/members.ts";
import { actor } from "../people/inputs.ts";
import { pricingTables } from "../pricing/inputs.ts";
import type { ReusableRow } from "../templates/row.ts";
import { failureView } from "../content/file-content.ts";
import { listed, matchesListQuery } from "../templates/templates.ts";
import { emitData } from "../webhooks/subscriptions.ts";

export interface LibraryItemRow extends ReusableRow {
  status: "cli.UPLOADED" | "cli.PROCESSED" | "cli.ERROR";
  internal: { deleted_at: number | null; file_id: string | null; conversion: ConversionState };
}

export const contentLibraryTables = {
  library_items: table<LibraryItemRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
};

export const contentPlaceholders = lazy(() =>
  z.array(
    z.object({
      block_id: z.string(),
      content_library_items: z
        .array(
          z.object({
            id: z.string(),
            fields: fieldValues().optional(),
            pricing_tables: pricingTables().optional(),
            recipients: z.array(actor()).optional(),
          }),
        )
        .optional(),
    }),
  ),
);

export type PlaceholderInput = z.infer<ReturnType<typeof contentPlaceholders>>[number];

export const listQuery = lazy(() =>
  z.object({
    q: z.string().min(1).optional(),
    id: z.string().min(1).optional(),
    deleted: queryBool().optional(),
    folder_uuid: z.string().min(1).optional(),
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
    tag: z.string().min(1).optional(),
  }),
);

const createMembers = () => ({ name: z.string().min(1).optional(), editable: editable() });

export const createRequest = lazy(() => z.object({ ...createMembers(), url: fileUrl().optional() }));

export const uploadRequest = lazy(() => z.object({ file: uploadedFile(), data: z.object(createMembers()).optional() }));

export const appendRequest = lazy(() =>
  z.object({
    cli: z.object({
      id: z.string(),
      pages: z.array(z.object({ index: z.number().int().min(0), name: z.string().nullish() })).optional(),
    }),
  }),
);

export type LibraryQuery = z.infer<ReturnType<typeof listQuery>>;
export type LibraryItemInput = z.infer<ReturnType<typeof createRequest>>;
export type AppendInput = z.infer<ReturnType<typeof appendRequest>>["cli"];

export function requireLibraryItem(
  world: World,
  id: string,
  refuse: () => ApiError = () => notFound(`no content library item ${id} in this workspace`),
): LibraryItemRow {
  const row = world.store.library_items.get(id);
  if (row?.workspace_id !== world.caller.workspace_id || row.internal.deleted_at !== null) throw refuse();
  return row;
}

type LibraryEvent = Extract<EventName, `content_library_item_${string}`>;

function announce(world: World, event: LibraryEvent, row: LibraryItemRow): void {
  emitData(world, event, row, () => libraryEvent.of(row, world));
}

export const libraryConversion: ConversionKind<LibraryItemRow> = {
  model: "content_library_item.processing",
  job: "convert_library_item",
  titleOf: (row) => row.name,
  pending(world, id) {
    const row = world.store.library_items.get(id);
    return row?.status === "cli.UPLOADED" && row.internal.deleted_at === null ? row : undefined;
  },
  state: (row) => row.internal.conversion,
  withState: (row, conversion) => ({ ...row, internal: { ...row.internal, conversion } }),
  put: (world, row) => world.store.library_items.put(row),
  finish(world, row, file) {
    const processed = world.store.library_items.put({ ...withFileContent(world, row, file), status: "cli.PROCESSED" });
    announce(world, "content_library_item_created", processed);
  },
  fail(world, row) {
    const failed = world.store.library_items.put({ ...row, status: "cli.ERROR", date_modified: world.clock.now() });
    announce(world, "content_library_item_creation_failed", failed);
  },
};

export function createLibraryItem(world: World, input: LibraryItemInput, file?: UploadedFile): LibraryItemRow {
  const now = world.clock.now();
  const source = sourceOf(world, input.url, file);
  const row = world.store.library_items.put({
    ...emptyContent(),
    id: world.ids.short(),
    workspace_id: world.caller.workspace_id,
    // assumed: library.default_name.
    name: input.name ?? file?.name.replace(/\.[^.]+$/, "") ?? "Untitled",
    // In the vendor's example an item without a file is processed at once.
    status: source ? "cli.UPLOADED" : "cli.PROCESSED",
    version: "2",
    folder_uuid: null,
    date_created: now,
    date_modified: now,
    content_date_modified: now,
    created_by: world.caller.membership_id,
    metadata: {},
    tags: [],
    roles: [],
    content_placeholders: [],
    internal: { deleted_at: null, file_id: null, conversion: newConversion(source) },
  });
  if (source) startConversion(world, libraryConversion, row.id);
  else announce(world, "content_library_item_created", row);
  return row;
}

/** assumed: library.order. */
export function listLibraryItems(world: World, query: LibraryQuery): LibraryItemRow[] {
  const found = world.store.library_items
    .where("workspace", world.caller.workspace_id)
    .filter((row) => matchesListQuery(row, query) && (query.tag === undefined || row.tags.includes(query.tag)));
  return pageOf(found.sort(byCreation), query);
}

export const libraryStatus = view<LibraryItemRow>()({
  ...listed.shape,
  status: oneOf(["cli.UPLOADED", "cli.PROCESSED", "cli.ERROR"]),
});

/** `data` of a library event. assumed: library.event_members. */
export const libraryEvent = view<LibraryItemRow, World>()({
  ...listed.shape,
  created_by: [personView, (row, world) => personOf(world, row.created_by)],
  metadata: texts,
  tags: list(text),
  status: text,
  error: [optional(failureView), (row) => row.internal.conversion.failure ?? undefined],
});
