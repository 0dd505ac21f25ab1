/** A nightly job that removes the price list of yesterday and prepares a new one. */
import { Api, Refused } from "../api.ts";
import { ENDS, offer, type Place, type View } from "../place.ts";

export const NAME = "Price list";

export async function tidy(place: Place, gap?: string): Promise<View> {
  const api = new Api(place, { gap });
  const old = await prepare(api, "yesterday");
  if (gap === "delete_by_name") await removeFirst(api, new Api(place, { tries: 1 }));
  else await remove(api, old.id, gap);
  const { id, status } = await prepare(api, "today");
  return { [id]: status };
}

async function prepare(api: Api, order: string): Promise<{ id: string; status: string }> {
  const id = await api.create(offer(NAME, { order }));
  try {
    return { id, status: await api.until(id, ["document.draft", ...ENDS], 60) };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return { id, status: "deleted" };
    throw error;
  }
}

async function remove(api: Api, id: string, gap: string | undefined): Promise<void> {
  try {
    await api.call("DELETE", `/documents/${id}`);
  } catch (error) {
    const mayBeGone = error instanceof Refused && (error.status === 403 || error.status === 404);
    // An earlier try worked, or somebody else deleted the document.
    if (!mayBeGone || gap === "delete_again" || (await isThere(api, id))) throw error;
  }
}

/** The first document with the name is the job's own, unless an earlier try has deleted that document. */
async function removeFirst(api: Api, once: Api): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { body } = await api.call("GET", `/documents?q=${encodeURIComponent(NAME)}&order_by=name`);
    try {
      await once.call("DELETE", `/documents/${body.results[0].id}`);
      return;
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

async function isThere(api: Api, id: string): Promise<boolean> {
  const { body } = await api.call("GET", `/documents?id=${id}`);
  return body.results.length > 0;
}
