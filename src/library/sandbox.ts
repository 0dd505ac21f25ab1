import { inspect } from "node:util";
import { isRequest } from "../engine/core/web-objects.ts";
import { TENANT_KEY } from "../engine/runtime/tenants/tenant-registry.ts";
import { valueText } from "../engine/scenario/plain-problem.ts";
import { inspection } from "../inspector/inspection.ts";
import { service, type Tenant } from "../service/service.ts";
import { ClosedError, SettingsError } from "./errors.ts";
import { handlesOf, summaryOf } from "./handles.ts";
import { startHost } from "./create-host.ts";
import { CLOSED, type Prepared, ServiceHost } from "./host.ts";
import { methodsOf } from "./kit/method.ts";
import { checkOptions } from "./options-check.ts";
import { hosts } from "./sandbox-host.ts";
import { surfaces } from "./surfaces.ts";
import type { Handles, Sandbox, SandboxOptions } from "./types.ts";
import { VERSION } from "./version.ts";

export { SettingsError, VERSION };
/** @internal */
export { hostOf } from "./sandbox-host.ts";
export type { Sandbox, SandboxOptions };

/** Starts a test double. @throws SettingsError, or ScenarioError for mistakes in files */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options);
  return startHost(service, options, (prepared) => new Runtime(options, prepared));
}

/** A host of PandaDoc's double, with the handles of its default tenant. */
class Runtime extends ServiceHost<Tenant> implements Sandbox {
  declare readonly clock: Handles["clock"];
  declare readonly rules: Handles["rules"];
  declare readonly journal: Handles["journal"];
  declare readonly webhooks: Handles["webhooks"];
  declare readonly documents: Handles["documents"];
  declare readonly emails: Handles["emails"];
  declare readonly templates: Handles["templates"];
  declare readonly contacts: Handles["contacts"];
  declare readonly faults: Handles["faults"];
  declare readonly scenarios: Handles["scenarios"];
  declare readonly lint: Handles["lint"];
  declare readonly snapshot: Handles["snapshot"];
  declare readonly har: Handles["har"];
  declare readonly on: Handles["on"];
  declare readonly world: Handles["world"];
  declare readonly verify: Handles["verify"];
  declare readonly tenant: Sandbox["tenant"];

  constructor(options: SandboxOptions, prepared: Prepared) {
    super({ service, surfaces, inspection }, options, prepared);
    hosts.set(this, this);
    const { fetches, changes, readsFiles, waitsAndChanges } = methodsOf((method) =>
      this.closing.aborted ? new ClosedError(method, CLOSED) : undefined,
    );
    // Binds them too, because users pass `fetch` without its object.
    this.fetch = fetches("fetch", (input: string | URL | Request, init?: RequestInit) => {
      requireTarget(input);
      return super.fetch(input, init);
    });
    this.tenant = changes("tenant", (key: string) => this.#handlesOf(key));
    this.reload = readsFiles("reload", () => super.reload());
    this.reset = waitsAndChanges("reset", () => super.reset());
    Object.assign(this, handlesOf(this, this.defaultTenant));
  }

  [inspect.custom](): string {
    return `Sandbox at ${this.url}: ${summaryOf(this.defaultTenant)}`;
  }

  #handlesOf(key: string): Handles {
    if (typeof key !== "string" || !TENANT_KEY.test(key))
      throw new SettingsError(`${valueText(key)} is not the key of a tenant. Use a key that begins with test-.`);
    const tenant = this.open(key);
    tenant.hasHandles = true;
    return handlesOf(this, tenant);
  }
}

/** @throws SettingsError */
function requireTarget(value: unknown): void {
  if (value instanceof URL || isRequest(value)) return;
  if (typeof value === "string" && /^\/(?!\/)/.test(value)) return;
  if (typeof value === "string" && value !== "" && URL.canParse(value, "http://docdouble.test/")) return;
  throw new SettingsError(
    `the first argument is a path such as "/public/v1/documents", a URL or a Request, not ${valueText(value)}`,
  );
}
