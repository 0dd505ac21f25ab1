/** Mails and text messages, for those who look at them. */
import { findMails } from "../nouns/people/mails.ts";

export const mails = { find: findMails };
