/** All records of the ledger. */
import { inOrder } from "./entry.ts";
import { switches } from "./switches.ts";

export const records = inOrder([...switches]);
