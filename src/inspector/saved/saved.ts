import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { binary, group, lazy } from "../../engine/core/operation.ts";
import type { Control } from "../../service/service.ts";
import type { Tenant } from "../../service/service.ts";
import { fileNameOf, scenarioText } from "./scenario-file.ts";
import { type Story, storyOf } from "./story.ts";
import { RUNNERS, testFileName, testText } from "./test-file.ts";
import { operation } from "../../service/service.ts";

const query = () => ({ document: z.string().optional(), tenant: z.string().optional() });
const scenarioQuery = lazy(() => z.strictObject(query()));
const testQuery = lazy(() => z.strictObject({ ...query(), runner: z.enum(RUNNERS).default("vitest") }));

interface Asked {
  document?: string | undefined;
  tenant?: string | undefined;
}

async function choose({ host, tenant }: Control, asked: Asked): Promise<{ tenant: Tenant; story: Story }> {
  const chosen = asked.tenant === undefined ? tenant : host.find(asked.tenant);
  if (!chosen) throw notFound(`no tenant ${asked.tenant}`);
  await chosen.clock.settle();
  if (asked.document === undefined) return { tenant: chosen, story: storyOf(chosen) };
  const row = chosen.store.documents.get(asked.document);
  if (!row) throw notFound(`no document ${asked.document} in tenant ${chosen.id}`);
  return { tenant: chosen, story: storyOf(chosen, row) };
}

function file(text: string, name: string, media: string) {
  const headers = { "content-disposition": `attachment; filename="${name}"`, "cache-control": "no-store" };
  return { status: 200 as const, bytes: new TextEncoder().encode(text), media, headers };
}

export const savedGroup = group("Admin: saved stories", [
  operation({
    id: "adminSaveScenario",
    route: "GET /__admin/saved/scenario",
    query: scenarioQuery,
    responses: { 200: binary("application/yaml") },
    errors: [400, 404],
    handle: async ({ query: asked }, control) => {
      const { tenant, story } = await choose(control, asked);
      return file(scenarioText(tenant, story), `${fileNameOf(story)}.yaml`, "application/yaml; charset=utf-8");
    },
  }),
  operation({
    id: "adminSaveTest",
    route: "GET /__admin/saved/test",
    query: testQuery,
    responses: { 200: binary("text/javascript") },
    errors: [400, 404],
    handle: async ({ query: { runner, ...asked } }, control) => {
      const { tenant, story } = await choose(control, asked);
      return file(testText(tenant, story, runner), testFileName(story, runner), "text/javascript; charset=utf-8");
    },
  }),
]);
