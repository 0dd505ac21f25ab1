/** Methods of the engine's verbs that read files, or whose names are words of PandaDoc. */
import * as z from "zod";
import { lazy } from "../engine/core/operation.ts";
import { withMethods } from "../engine/verbs/define.ts";
import type { engineVerbs } from "../engine/verbs/operations.ts";
import { type DocumentRow, documents } from "../service/service.ts";
import { words } from "../service/words.ts";
import { lockDocument, unlockDocument } from "./kit/faults.ts";
import { loadScenario, requireVerified } from "./kit/scenarios.ts";
import { loadSource, type WorldSource } from "./kit/world.ts";

export function withLibrary(engine: ReturnType<typeof engineVerbs>) {
  return {
    ...engine,
    simulate: withMethods(engine.simulate, "simulate", {
      "documents.simulate": {
        changes: true,
        ofService: true,
        takes: [
          documents.id,
          { name: "the act", is: 'is one such as "sign"', member: "act", schema: lazy(() => z.enum(words.acts)) },
          {
            name: "the input",
            is: 'is an object such as { recipient: "Client" }',
            member: "with",
            optional: true,
            // Fields also take the objects that they hold, and the act refuses unknown members.
            schema: lazy(() => z.looseObject({})),
          },
        ],
        gives: (row) => documents.copy(row as DocumentRow),
      },
      "faults.locked": {
        changes: true,
        takes: [documents.id],
        run: ({ tenant }, id: string, options?: object) => lockDocument(tenant, id, options),
        gives: () => undefined,
      },
      "faults.unlock": {
        changes: true,
        takes: [documents.id],
        run: ({ tenant }, id: string) => unlockDocument(tenant, id),
        gives: () => undefined,
      },
    }),
    scenarios: withMethods(
      withMethods(engine.scenarios, "scenarios.load", {
        "scenarios.load": {
          changes: true,
          waits: true,
          takes: [
            {
              name: "the source",
              is: "is the name of a scenario file, or the value of one",
              schema: lazy(() => z.union([z.string().min(1), z.looseObject({})])),
            },
          ],
          run: ({ tenant }, source: string | object) => loadScenario(tenant, source),
          gives: ({ name }) => ({ name }),
        },
      }),
      "scenarios.verify",
      { "scenarios.verify": { waits: true, gives: requireVerified }, verify: { waits: true, gives: requireVerified } },
    ),
    world: withMethods(engine.world, "world.load", {
      "world.load": {
        changes: true,
        waits: true,
        takes: [
          {
            name: "the world",
            is: "is what world.save() returned, or the name of a file with it",
            schema: lazy(() => z.custom((value) => (typeof value === "string" && value !== "") || value instanceof Uint8Array)),
          },
        ],
        run: ({ tenant }, source: WorldSource) => loadSource(tenant, source),
        gives: () => undefined,
      },
    }),
  };
}
