import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import { appOf } from "./app.ts";
import { type Listening, listen } from "./serve.ts";

export function serveApp(host: TenantRegistry, address: { port: number; host: string }): Promise<Listening> {
  const app = appOf(host);
  const isSaved = host.data !== undefined;
  return listen((request, env) => {
    const response = app.fetch(request, Object.assign(env as object, { host }));
    // A response leaves at once. A promise leaves after the call's changes are in the data file.
    return isSaved ? Promise.resolve(response) : response;
  }, address);
}
