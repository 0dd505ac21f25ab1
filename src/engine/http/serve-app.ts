import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import { appOf } from "./app.ts";
import { type Listening, listen } from "./serve.ts";

/** A port without a host yet. Calls wait until `begin` names the host that answers them. */
export interface Door extends Listening {
  begin(host: TenantRegistry): void;
}

type Answer = (request: Request, env: unknown) => Response | Promise<Response>;

export async function serveApp(host: TenantRegistry, address: { port: number; host: string }): Promise<Listening> {
  const door = await openDoor(address);
  door.begin(host);
  return door;
}

export async function openDoor(address: { port: number; host: string }): Promise<Door> {
  let begin: (answer: Answer) => void = () => {};
  const ready = new Promise<Answer>((resolve) => {
    begin = resolve;
  });
  let answer: Answer = (request, env) => standby(request) ?? ready.then((known) => known(request, env));
  const listening = await listen((request, env) => answer(request, env), address);
  return {
    ...listening,
    begin(host) {
      answer = answerOf(host);
      begin(answer);
    },
  };
}

function answerOf(host: TenantRegistry): Answer {
  const app = appOf(host);
  const isSaved = host.data !== undefined;
  return (request, env) => {
    const response = app.fetch(request, Object.assign(env as object, { host }));
    // A response leaves at once. A promise leaves after the call's changes are in the data file.
    return isSaved ? Promise.resolve(response) : response;
  };
}

/** Health checks get an answer at once. A server that waits can take calls, so it counts as ready. */
function standby({ method, url }: Request): Response | undefined {
  if (method !== "GET" || !/^\/(health|__admin\/(ready|health))$/.test(new URL(url).pathname)) return undefined;
  return Response.json({ status: "standby", message: "docdouble holds calls until it gets its data file" });
}
