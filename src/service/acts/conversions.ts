import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { libraryConversion } from "../domain/library/items.ts";
import { type ConversionKind, failConversion } from "../domain/content/file-conversion.ts";
import { sectionConversion } from "../domain/documents/section-processing.ts";
import { templateConversion } from "../domain/templates/template-changes.ts";
import type { World } from "../model/world.ts";
import { anything, operation } from "./operation.ts";

const actParams = lazy(() => z.object({ id: z.string(), act: z.enum(["process", "fail"]) }));
const actBody = lazy(() => z.object({ detail: z.string().optional() }));

function end<R>(world: World, kind: ConversionKind<R>, id: string, act: "process" | "fail", detail: string): boolean {
  const row = kind.pending(world, id);
  if (!row) return false;
  if (act === "process") world.jobs.schedule(kind.job, 0, { id });
  else failConversion(world, kind, row, { type: "processing", detail });
  return true;
}

export const conversionsGroup = group("Admin: conversions", [
  operation({
    id: "adminSimulateConversion",
    route: "POST /__admin/conversions/{id}/simulate/{act}",
    params: actParams,
    body: actBody,
    bodyOptional: true,
    responses: { 202: anything },
    errors: [400, 404],
    handle: ({ params, body }, { tenant }) => {
      const { id, act } = params;
      const { world } = tenant;
      const detail = body.detail ?? "PDF content hasn't been processed: document is broken or locked";
      const isEnded = tenant.store.transaction(
        () =>
          end(world, templateConversion, id, act, detail) ||
          end(world, libraryConversion, id, act, detail) ||
          end(world, sectionConversion, id, act, detail),
      );
      if (!isEnded) throw notFound(`no template, content library item or section upload ${id} is waiting to be processed`);
      return { status: 202, body: { id, act } };
    },
  }),
]);
