/** What a host needs beside a service: the admin API of the engine. Any service can have them. */
import type { AdminOperation } from "../engine/core/verb.ts";
import type { Inspection } from "../engine/runtime/inspection.ts";
import type { Service } from "../engine/runtime/service.ts";
import type { Control, Surfaces } from "../engine/runtime/tenants/tenant-registry.ts";
import { engineVerbs } from "../engine/verbs/operations.ts";
import type { HostParts } from "./host.ts";

/** Client lint knows only the calls of PandaDoc, so there are no findings. */
const NO_INSPECTION: Inspection = {
  begin() {},
  lint: () => ({ findings: [], unread: undefined }),
  advice: ({ message, fix }) => `${message} ${fix}`,
  probeSignatures: async () => [],
  watchLog: () => () => {},
};

export function partsOf(service: Service): HostParts {
  const groups = Object.values(engineVerbs(service)) as readonly { operations: readonly unknown[] }[];
  const verbs = groups.flatMap((one) => one.operations as readonly AdminOperation<Control>[]);
  const surfaces: Surfaces = {
    verbs,
    pages: [],
    landing: () => new Response(null, { status: 204 }),
    refusal: (_, error) => Response.json({ type: error.kind, detail: error.message }, { status: error.status }),
  };
  return { service, surfaces, inspection: NO_INSPECTION };
}
