import { systemClock } from "../core/clock.ts";
import type { TenantRegistry } from "../admin/tenants/tenant-registry.ts";
import { theApp } from "./app.ts";
import { type Listening, listen } from "./serve.ts";

export function serveApp(host: TenantRegistry, address: { port: number; host: string }): Promise<Listening> {
  const app = theApp();
  let turn: Promise<void> | undefined;
  const turnEnds = () => {
    turn ??= systemClock.soon().then(() => {
      turn = undefined;
    });
    return turn;
  };
  // Answers resolve together at the end of a turn. Waking callers one by one would cost more than the rest of the call.
  const answer = (request: Request, env: unknown): Promise<Response> => {
    const response = app.fetch(request, Object.assign(env as object, { host }));
    return response instanceof Promise ? response.then((one) => turnEnds().then(() => one)) : turnEnds().then(() => response);
  };
  return listen(answer, address);
}
