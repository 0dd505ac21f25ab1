import type { Row } from "../../../engine/store/row.ts";
import { table } from "../../../engine/store/collection.ts";

export interface SessionRow extends Row {
  document_id: string;
  recipient_id: string;
  member_id?: string;
  expires_at: number;
  code?: string;
  wrong_codes?: number;
}

export interface CommentRow extends Row {
  document_id: string;
  recipient_id: string;
  member_id?: string;
  kind: "comment" | "suggestion";
  text: string;
  at: number;
}

export const sessionTables = {
  sessions: table<SessionRow>()({ bound: { maxRows: 20_000 }, indexes: { document: (row) => row.document_id } }),
  comments: table<CommentRow>()({ indexes: { document: (row) => row.document_id } }),
};
