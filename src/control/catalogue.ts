import { findOperation, operationIds } from "../api/index.ts";
import type { Catalogue } from "../scenario/compile.ts";

/** What scenario files are checked against. */
export const catalogue: Catalogue = { ids: operationIds, errorsOf: (id) => findOperation(id)?.errors };
