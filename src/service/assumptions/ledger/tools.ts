import type { AssumptionRecord } from "../../../engine/assumptions/record.ts";
import { assumption } from "./entry.ts";

export const tools: readonly AssumptionRecord[] = [
  assumption("admin.document_note", {
    statement:
      "The inspector and the admin API show the note and the file of a manual status change. No operation of the service shows either.",
  }),
  assumption("lint.poll_interval", {
    statement: "Client lint reports a client that reads a status more often than every half second.",
    operations: ["statusDocument"],
    sources: [
      { kind: "description", text: "The service needs seconds to process a document, so docdouble also takes some seconds." },
    ],
  }),
  assumption("logs.body", {
    statement: "In the log, a body that is not JSON becomes an empty object. A list stays a list.",
    operations: ["detailsLog", "detailsLogV2"],
  }),
  assumption("logs.hidden_key", {
    statement: "The log does not show the key.",
    operations: ["detailsLog", "detailsLogV2"],
  }),
  assumption("logs.limit_text", {
    statement: "If the requested time is too long, docdouble uses its own error text.",
    operations: ["listLogs"],
    sources: [{ kind: "description", text: "The service publishes this limit." }],
  }),
  assumption("logs.query", {
    statement: "In the log, a parameter that occurs once is a text. A parameter that occurs more often is a list.",
    operations: ["detailsLog", "detailsLogV2"],
  }),
  assumption("logs.relative_times", {
    statement: "Relative times may have hours, minutes and seconds, such as -12h.",
    operations: ["listLogs", "listLogsV2"],
    sources: [{ kind: "description", text: "The official description shows a time in days." }],
  }),
  assumption("logs.search", {
    statement: "The search finds parts of the path and of the query. It ignores case.",
    operations: ["listLogs", "listLogsV2"],
  }),
  assumption("logs.time_text", {
    statement: "When it refuses a time, docdouble uses its own text.",
    operations: ["listLogs", "listLogsV2"],
  }),
  assumption("logs.window", {
    statement: "The requested time of the logs includes its first and its last instant.",
    operations: ["listLogs", "listLogsV2"],
  }),
];
