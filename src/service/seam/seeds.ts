/** Rows that a test adds without a call. */
import { addContact, addTemplate } from "../acts/seeds.ts";

export const seeds = { template: addTemplate, contact: addContact };
