import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { libraryConversion } from "../nouns/library/items.ts";
import type { ConversionKind } from "../nouns/content/file-conversion.ts";
import { failConversion } from "../nouns/content/file-conversion.ts";
import { sectionConversion } from "../nouns/documents/section-processing.ts";
import { templateConversion } from "../nouns/templates/template-changes.ts";
import type { World } from "../kit/world.ts";
import { verb } from "./operation.ts";

const DETAIL = "PDF content hasn't been processed: document is broken or locked";

function end<R>(world: World, kind: ConversionKind<R>, id: string, act: "process" | "fail", detail: string): boolean {
  const row = kind.pending(world, id);
  if (!row) return false;
  if (act === "process") world.jobs.schedule(kind.job, 0, { id });
  else failConversion(world, kind, row, { type: "processing", detail });
  return true;
}

const ELSEWHERE = {
  tool: "a scenario sets how conversions end",
};

export const conversionVerbs = verbGroup("Admin: conversions", ELSEWHERE, [
  verb({
    name: "conversions.simulate",
    does: "Ends the processing of a template, content library item or section upload, after you set it to `manual`. Use `process`, or `fail` (`detail`).",
    input: () =>
      z.strictObject({
        id: z.string().describe("id of a template, content library item or section upload"),
        act: z.enum(["process", "fail"]),
        detail: z.string().optional().describe("why it failed"),
      }),
    run({ tenant }, { id, act, detail = DETAIL }) {
      const { world } = tenant;
      const isEnded = tenant.store.transaction(
        () =>
          end(world, templateConversion, id, act, detail) ||
          end(world, libraryConversion, id, act, detail) ||
          end(world, sectionConversion, id, act, detail),
      );
      if (!isEnded) throw notFound(`no template, content library item or section upload ${id} is waiting to be processed`);
      return { id, act };
    },
    admin: {
      id: "adminSimulateConversion",
      route: "POST /__admin/conversions/{id}/simulate/{act}",
      status: 202,
      answer: () => z.strictObject({ id: z.string(), act: z.enum(["process", "fail"]) }),
      errors: [404],
      example: { path: "/__admin/conversions/$template/simulate/process" },
    },
  }),
]);
