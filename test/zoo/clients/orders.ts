/** An order over axios. A document that was sent with a mistake returns to draft, and is sent again. */
import axios, { type AxiosError, type AxiosInstance, type AxiosResponse } from "axios";
import { ENDS, offer, type Place, sleep, type View } from "../place.ts";

export async function orders(place: Place, gap?: string): Promise<View> {
  const http = axios.create({
    baseURL: `${place.url}/public/v1`,
    headers: { authorization: `API-Key ${place.apiKey}` },
    timeout: 10_000,
    proxy: false,
  });
  const id = await create(http, gap);
  try {
    const ready = await until(http, id, ["document.draft", ...ENDS], gap);
    if (ready === "document.draft") await send(http, id, gap);
    return { [id]: await until(http, id, ENDS, gap) };
  } catch (error) {
    if (statusOf(error) === 404) return { [id]: "deleted" };
    throw error;
  }
}

async function create(http: AxiosInstance, gap: string | undefined): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return (await http.post("/documents", offer("Order 9", { order: "9" }))).data.id;
    } catch (error) {
      await pause(error, tries, gap);
      const query = gap === "first_page" ? "?order_by=name&count=2" : "?metadata=metadata_order=9";
      const { data } = await retried(() => http.get(`/documents${query}`), gap);
      const found = data.results.find((one: { name: string }) => one.name === "Order 9");
      if (found) return found.id;
    }
  }
}

async function status(http: AxiosInstance, id: string, gap: string | undefined): Promise<string> {
  return (await retried(() => http.get(`/documents/${id}`), gap)).data.status;
}

async function until(http: AxiosInstance, id: string, wanted: readonly string[], gap: string | undefined): Promise<string> {
  for (let look = 1; ; look++) {
    const now = await status(http, id, gap);
    if (wanted.includes(now) || look === 60) return now;
    await sleep(2500);
  }
}

async function send(http: AxiosInstance, id: string, gap: string | undefined): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await http.post(`/documents/${id}/send`, { subject: "Your order" });
      return;
    } catch (error) {
      await pause(error, tries, gap);
      if ((await status(http, id, gap)) === "document.draft") continue;
      if (gap !== "resend") return;
      await retried(() => http.post(`/documents/${id}/draft`), gap);
    }
  }
}

/** Repeats a call that is safe to repeat. */
async function retried(attempt: () => Promise<AxiosResponse>, gap: string | undefined): Promise<AxiosResponse> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      await pause(error, tries, gap);
    }
  }
}

const statusOf = (error: unknown) => (error as AxiosError).response?.status;

/** Waits before the next try. Throws when another try would not help. */
async function pause(error: unknown, tries: number, gap: string | undefined): Promise<void> {
  const { response } = error as AxiosError;
  // axios reports half an answer with the status of a success.
  const isHalf = response !== undefined && response.status < 300;
  const mayPass =
    response === undefined ||
    (isHalf && gap !== "half_answer") ||
    [409, 423, 429].includes(response.status) ||
    response.status >= 500;
  if (!mayPass || tries === 8) throw error;
  const asked = Number(response?.headers["retry-after"] ?? 0) * 1000;
  if (gap === "pause") await sleep(10);
  else await sleep(1000 * tries, asked);
}
