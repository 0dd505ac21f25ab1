/** Mails and text messages, for those who look at them. */
import { findMails } from "../domain/mails/mails.ts";

export const mails = { find: findMails };
