/** Records about logs and the tools of docdouble. */
import type { AssumptionRecord } from "../record.ts";
import { assumption, REASONS } from "./entry.ts";

export const tools: readonly AssumptionRecord[] = [
  assumption("admin.document_note", {
    statement:
      "The inspector and the admin API show the note and the file of a manual status change. No operation of the service shows either.",
    probeable: REASONS.local,
  }),
  assumption("lint.poll_interval", {
    statement: "The client lint reports status calls that come more often than every half second.",
    operations: ["statusDocument"],
    probeable: REASONS.local,
    sources: [{ kind: "description", text: "The service needs seconds to process a document." }],
  }),
  assumption("logs.body", {
    statement: "A body that is not JSON becomes an empty object. A list stays a list.",
    operations: ["detailsLog", "detailsLogV2"],
    probeable: true,
  }),
  assumption("logs.hidden_key", {
    statement: "The log hides the key.",
    operations: ["detailsLog", "detailsLogV2"],
    probeable: true,
  }),
  assumption("logs.limit_text", {
    statement: "The text for a window that is too long is that of docdouble.",
    operations: ["listLogs"],
    probeable: REASONS.strain,
    sources: [{ kind: "description", text: "The limit is published." }],
  }),
  assumption("logs.query", {
    statement: "A parameter that was sent once is a text, otherwise a list.",
    operations: ["detailsLog", "detailsLogV2"],
    probeable: true,
  }),
  assumption("logs.relative_times", {
    statement: "Relative times may have hours, minutes and seconds, such as -12h.",
    operations: ["listLogs", "listLogsV2"],
    probeable: true,
    sources: [{ kind: "description", text: "The description shows days." }],
  }),
  assumption("logs.search", {
    statement: "The search matches a part of path and query, in any case.",
    operations: ["listLogs", "listLogsV2"],
    probeable: true,
  }),
  assumption("logs.time_text", {
    statement: "The text of a refused time is that of docdouble.",
    operations: ["listLogs", "listLogsV2"],
    probeable: true,
  }),
  assumption("logs.window", {
    statement: "Both ends belong to the window of the logs.",
    operations: ["listLogs", "listLogsV2"],
    probeable: true,
  }),
];
