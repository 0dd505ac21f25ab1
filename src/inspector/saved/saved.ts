import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { binary, lazy } from "../../engine/core/operation.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { namedTenant, tenantName } from "../../engine/verbs/inputs.ts";
import type { Control } from "../../service/service.ts";
import type { Tenant } from "../../service/service.ts";
import { fileNameOf, scenarioText } from "./scenario-file.ts";
import { type Story, storyOf } from "./story.ts";
import { verb } from "../../service/service.ts";

const input = lazy(() =>
  z.strictObject({ document: z.string().optional().describe("only the document with this id"), tenant: tenantName() }),
);

interface Asked {
  document?: string | undefined;
  tenant?: string | undefined;
}

async function choose(control: Control, asked: Asked): Promise<{ tenant: Tenant; story: Story }> {
  const tenant = namedTenant(control, asked.tenant);
  await tenant.clock.settle();
  if (asked.document === undefined) return { tenant, story: storyOf(tenant) };
  const row = tenant.store.documents.get(asked.document);
  if (!row) throw notFound(`no document ${asked.document} in tenant ${tenant.id}`);
  return { tenant, story: storyOf(tenant, row) };
}

export interface Saved {
  name: string;
  text: string;
}

const ELSEWHERE = {
  tool: "agents read calls and deliveries",
};

export const savedVerbs = verbGroup("Admin: saved stories", ELSEWHERE, [
  verb({
    name: "saved.scenario",
    does: "Saves everything that happened as a scenario file. Play it with `docdouble run`.",
    input,
    async run(control, asked): Promise<Saved> {
      const { tenant, story } = await choose(control, asked);
      return { name: `${fileNameOf(story)}.yaml`, text: scenarioText(tenant, story) };
    },
    admin: {
      id: "adminSaveScenario",
      route: "GET /__admin/saved/scenario",
      answer: binary("application/yaml"),
      errors: [404],
      example: { path: "/__admin/saved/scenario?document=$document" },
      show: ({ name, text }) => ({
        bytes: new TextEncoder().encode(text),
        media: "application/yaml; charset=utf-8",
        headers: { "content-disposition": `attachment; filename="${name}"`, "cache-control": "no-store" },
      }),
    },
  }),
]);
