/** Two clients of the parcels API. One creates a parcel twice when an answer is lost, and the other looks for its parcel first. */

export interface Api {
  url: string;
  apiKey: string;
}

interface Parcel {
  id: string;
  to: string;
  status: string;
}

const HOUR_MS = 3_600_000;
const TRIES_MAX = 5;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// #region client
/** Creates a parcel again when the first call fails. That call may have created one already. */
export function carelessClient(api: Api): Promise<Parcel> {
  return send(api, () => create(api));
}

/** Looks for its parcel before it creates another one. */
export function carefulClient(api: Api): Promise<Parcel> {
  return send(api, async () => {
    const { parcels } = await ask<{ parcels: Parcel[] }>(api, "/v1/parcels");
    return parcels.find(({ to }) => to === "Ada") ?? create(api);
  });
}

/** Returns the parcel when it is delivered. */
async function send(api: Api, createAgain: () => Promise<Parcel>): Promise<Parcel> {
  const { id } = await patiently((attempt) => (attempt === 1 ? create(api) : createAgain()));
  for (let poll = 0; poll < 48; poll++) {
    const parcel = await patiently(() => ask<Parcel>(api, `/v1/parcels/${id}`));
    if (parcel.status === "delivered") return parcel;
    await sleep(HOUR_MS);
  }
  throw new Error("the parcel is not delivered");
}
// #endregion

function create(api: Api): Promise<Parcel> {
  return ask(api, "/v1/parcels", { method: "POST", body: JSON.stringify({ to: "Ada", weight_g: 100 }) });
}

class Refused extends Error {
  readonly wait_ms: number;
  constructor(answer: Response) {
    super(`the service answered ${answer.status}`);
    this.wait_ms = Number(answer.headers.get("retry-after") ?? 60) * 1000;
  }
}

async function ask<Body>({ url, apiKey }: Api, path: string, init: RequestInit = {}): Promise<Body> {
  const headers = { authorization: `API-Key ${apiKey}`, "content-type": "application/json" };
  const answer = await fetch(`${url}${path}`, { ...init, headers });
  if (!answer.ok) throw new Refused(answer);
  return (await answer.json()) as Body;
}

/** Waits as long as a refusal asks, and tries again. */
async function patiently<Result>(run: (attempt: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++)
    try {
      return await run(attempt);
    } catch (error) {
      if (attempt === TRIES_MAX) throw error;
      await sleep(error instanceof Refused ? error.wait_ms : 1000);
    }
}
