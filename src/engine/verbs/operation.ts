import * as z from "zod";
import { operationsFor } from "../core/define-operation.ts";
import { notFound } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import { nearest } from "../core/text.ts";
import type { Control } from "../runtime/tenants/tenant-registry.ts";

/** Tests check the admin API's answers, so its operations declare no answer schemas. */
export const anything = lazy(() => z.unknown());

export const operation = operationsFor<Control, { 200: typeof anything }>({ 200: anything });

export function namesOrNone(names: Iterable<string>): string {
  return [...names].join(", ") || "none";
}

/** @throws 404, which names the known acts */
export function requireAct<Known extends string>(act: string, known: readonly Known[]): Known {
  const found = known.find((one) => one === act);
  if (found !== undefined) return found;
  const near = nearest(act, known);
  throw notFound(`no act ${act};${near ? ` did you mean ${near}?` : ""} the acts are ${known.join(", ")}`);
}

export const ignoredBody = lazy(() => z.unknown());
