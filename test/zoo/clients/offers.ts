/** An offer from draft to signed PDF, by polling with plain fetch. */
import { Api, askedBy, Refused } from "../api.ts";
import { ENDS, offer, type Place, sleep, type View } from "../place.ts";

export async function offers(place: Place, gap?: string): Promise<View> {
  const api = new Api(place, { gap });
  const id = await api.create(offer("Offer 42", { order: "42" }));
  try {
    const ready = await api.until(id, ["document.draft", ...ENDS], 60);
    if (ready !== "document.draft") return { [id]: ready };
    await api.send(id);
    if (gap === "trusts_reads" && /uploaded|draft/.test(await api.status(id))) throw new Error("the send had no effect");
    const status = await waitForSigner(api, id, gap);
    if (status === "document.completed") await download(api, id, gap);
    return { [id]: status };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return { [id]: "deleted" };
    throw error;
  }
}

async function waitForSigner(api: Api, id: string, gap: string | undefined): Promise<string> {
  const forgotten = gap === "declined" ? "document.declined" : gap === "looks_end" ? "document.voided" : undefined;
  const ends = ENDS.filter((one) => one !== forgotten);
  // A recipient may never act. The next run of this job asks again.
  const looks = gap === "looks_end" || gap === "declined" ? Number.POSITIVE_INFINITY : 40;
  return api.until(id, ends, looks);
}

async function download(api: Api, id: string, gap: string | undefined): Promise<void> {
  // The PDF is usually ready by then.
  await sleep(15_000);
  for (let tries = 1; tries <= 20; tries++) {
    const answer = await api.call("GET", `/documents/${id}/download`);
    if (answer.status === 200 || gap === "pdf_wait") return requirePdf(answer.bytes);
    await sleep(5000, askedBy(answer));
  }
}

function requirePdf(bytes: Uint8Array): void {
  if (new TextDecoder().decode(bytes.subarray(0, 5)) !== "%PDF-") throw new Error("the archive refuses a file that is no PDF");
}
