import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { binary, lazy } from "../../engine/core/operation.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { namedTenant, tenantName } from "../../engine/verbs/inputs.ts";
import type { Control } from "../../service/service.ts";
import type { Tenant } from "../../service/service.ts";
import { fileNameOf, scenarioText } from "./scenario-file.ts";
import { type Story, storyOf } from "./story.ts";
import { RUNNERS, testFileName, testText } from "./test-file.ts";
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

const fileOf =
  (type: string) =>
  ({ name, text }: Saved) => ({
    bytes: new TextEncoder().encode(text),
    media: `${type}; charset=utf-8`,
    headers: { "content-disposition": `attachment; filename="${name}"`, "cache-control": "no-store" },
  });

const ELSEWHERE = {
  methods: "a test is a story already",
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
      show: fileOf("application/yaml"),
    },
  }),
  verb({
    name: "saved.test",
    does: "Saves everything that happened as a test with the same calls, acts and waits.",
    input: () => input().extend({ runner: z.enum(RUNNERS).default("vitest") }),
    async run(control, { runner, ...asked }): Promise<Saved> {
      const { tenant, story } = await choose(control, asked);
      return { name: testFileName(story, runner), text: testText(tenant, story, runner) };
    },
    admin: {
      id: "adminSaveTest",
      route: "GET /__admin/saved/test",
      answer: binary("text/javascript"),
      errors: [404],
      example: { path: "/__admin/saved/test?document=$document&runner=vitest" },
      show: fileOf("text/javascript"),
    },
  }),
]);
