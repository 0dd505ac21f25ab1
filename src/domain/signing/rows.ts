/** Signing sessions and comments. */
import type { Row } from "../../store/row.ts";
import { table } from "../../store/collection.ts";

/** A signing session: its id opens the document as one recipient. */
export interface SessionRow extends Row {
  document_id: string;
  recipient_id: string;
  /** Of a group: who of it holds the session. */
  member_id?: string;
  expires_at: number;
  /** The code that was mailed or texted to verify its holder. */
  code?: string;
  /** Wrong codes of a text message that its holder entered. */
  wrong_codes?: number;
}

/** What a recipient wrote about a document: a remark, or an edit that is suggested. */
export interface CommentRow extends Row {
  document_id: string;
  recipient_id: string;
  /** Of a group: the member who wrote it. */
  member_id?: string;
  kind: "comment" | "suggestion";
  text: string;
  at: number;
}

export const sessionTables = {
  sessions: table<SessionRow>()({ bound: { maxRows: 20_000 }, indexes: { document: (row) => row.document_id } }),
  comments: table<CommentRow>()({ indexes: { document: (row) => row.document_id } }),
};
