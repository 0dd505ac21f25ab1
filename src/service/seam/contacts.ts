import { listContacts } from "../domain/contacts/contacts.ts";

export const contacts = { list: listContacts };
