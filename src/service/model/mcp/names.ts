/** The names of all tools of the vendor's MCP server, by the dates of its lists. Scenario files know them without loading the tools. */

const SHARED = [
  "documents_archive",
  "documents_audit_trail_get",
  "documents_content_get",
  "documents_create",
  "documents_details_get",
  "documents_fields_assign",
  "documents_list",
  "documents_metadata_get",
  "documents_search",
  "documents_send",
  "documents_status_change",
  "documents_status_get",
  "documents_summary_get",
  "documents_update",
  "recipients_add_cc",
  "recipients_delete",
  "recipients_edit",
  "recipients_reassign",
  "templates_create",
  "templates_details_get",
  "templates_list",
] as const;

/** Only in the list of August 2026. */
const SINCE_AUGUST = "documents_metadata_batch_get";
/** Only in the list of June 2026. */
const UNTIL_JUNE = "documents_create_from_markdown";

export const TOOL_NAMES = [...SHARED, SINCE_AUGUST, UNTIL_JUNE] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export type McpSurface = "2026-08" | "2026-06";

const LISTS: Readonly<Record<McpSurface, readonly ToolName[]>> = {
  "2026-08": [...SHARED, SINCE_AUGUST],
  "2026-06": [...SHARED, UNTIL_JUNE],
};

/** assumed: mcp.surface. */
export function toolNamesOf(surface: McpSurface): readonly ToolName[] {
  return LISTS[surface];
}
