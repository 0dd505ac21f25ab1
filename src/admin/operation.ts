import * as z from "zod";
import { operationsFor } from "../core/define-operation.ts";
import { lazy } from "../core/operation.ts";
import type { Control } from "./tenants/tenant-registry.ts";

/** Tests check the answers of the admin API, so it declares no answer schemas. */
export const anything = lazy(() => z.unknown());

export const operation = operationsFor<Control, { 200: typeof anything }>({ 200: anything });

export const ignoredBody = lazy(() => z.unknown());
