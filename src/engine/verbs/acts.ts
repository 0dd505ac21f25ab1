/** What people and processes do: acts on a subject, and how asynchronous steps end. */
import * as z from "zod";
import { DURATION_S_MAX } from "../core/time-limits.ts";
import type { ActInput } from "../scenario/schema.ts";
import type { Service } from "../runtime/service.ts";
import { verb, verbGroup } from "./define.ts";
import { requireAct } from "./operation.ts";

export function actVerbs({ acts, models }: Service) {
  return verbGroup("Admin: simulate", {}, [
    verb({
      name: "simulate",
      does: acts.does,
      input: () =>
        z.strictObject({
          id: z.string().describe("id of a document"),
          act: z.string().describe(acts.names.join(", ")),
          with: acts.input().optional().describe("who acts, and with which values"),
        }),
      run({ tenant }, { id, act: name, with: input = {} }) {
        const act = requireAct(name, acts.names);
        return tenant.store.transaction(() => tenant.scenarioRunner.perform(id, act, input as ActInput));
      },
      admin: {
        id: "adminSimulate",
        route: "POST /__admin/documents/{id}/simulate/{act}",
        body: "with",
        answer: () => z.looseObject({ id: z.string(), status: z.string() }),
        errors: [404, 409, 423],
        show: (row, { tenant }) => acts.result(tenant.world, row) as { id: string; status: string },
      },
      tool: { name: "simulate", names: { document_id: "id" }, spreads: "with" },
    }),
    verb({
      name: "transitions.set",
      does: "Sets how an asynchronous step ends: `immediate`, after `time` (`seconds`), after `polls` (`times`), `manual`, or `fail`.",
      input: () =>
        z
          .strictObject({
            model: z.enum(models),
            progression: z.enum(["immediate", "time", "polls", "manual", "fail"]),
            seconds: z.number().min(0).max(DURATION_S_MAX).optional(),
            times: z.int().min(1).optional(),
            detail: z.string().optional(),
          })
          .superRefine(({ progression, times }, context) => {
            if (progression === "polls" && times === undefined)
              context.addIssue({ code: "custom", path: ["times"], message: "is missing: after how many polls the step ends" });
          }),
      run({ tenant }, { model, progression, seconds, times, detail }) {
        const chosen = {
          immediate: { progression: "immediate" as const },
          manual: { progression: "manual" as const },
          polls: { progression: "polls" as const, times: times ?? 1 },
          time: { progression: "time" as const, seconds },
          fail: { progression: "fail" as const, seconds, detail },
        }[progression];
        tenant.settings.transitions = { ...tenant.settings.transitions, [model]: chosen };
        return { transitions: tenant.settings.transitions as Record<string, object> };
      },
      admin: {
        id: "adminSetTransition",
        route: "POST /__admin/transitions",
        answer: () => z.strictObject({ transitions: z.record(z.string(), z.looseObject({})) }),
      },
      without: { tool: "a scenario sets transitions" },
    }),
  ]);
}
