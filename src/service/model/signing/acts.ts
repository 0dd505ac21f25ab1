/** What people do with documents, and the members that the input of each act takes. */
import type { ActInput } from "./inputs.ts";

export const ACTS = [
  "view",
  "fill",
  "sign",
  "decline",
  "approve",
  "reject",
  "pay",
  "pay_fail",
  "review",
  "accept_review",
  "comment",
  "forward",
  "schedule",
  "expire",
  "remind",
  "opt_out",
  "opt_in",
  "lock",
  "unlock",
  "fail",
  "process",
  "finish_pdf",
] as const;
export type Act = (typeof ACTS)[number];

export const ACT_INPUT: Readonly<Record<Act, readonly (keyof ActInput)[]>> = {
  view: ["recipient"],
  fill: ["recipient", "fields", "pricing"],
  sign: ["recipient", "fields", "pricing"],
  decline: ["recipient", "reason"],
  approve: ["member"],
  reject: ["member", "reason"],
  // The payer pays, even when the input names another recipient.
  pay: ["recipient"],
  pay_fail: ["recipient", "reason"],
  review: ["recipient", "text"],
  accept_review: [],
  comment: ["recipient", "text"],
  forward: ["recipient", "to"],
  schedule: ["at"],
  expire: [],
  remind: ["recipient"],
  opt_out: ["recipient", "channel"],
  opt_in: ["recipient", "channel"],
  lock: ["member", "expires_in"],
  unlock: [],
  fail: ["reason"],
  process: [],
  finish_pdf: [],
};
