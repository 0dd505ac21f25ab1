/** Receivers of webhooks with the common mistakes in the check of a signature. The client sends on the draft, and ends on the last status. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Api, Refused } from "../api.ts";
import { ENDS, offer, type Place, type Post, sleep, type View } from "../place.ts";

const HOUR_MS = 3_600_000;

/** A `hint` is right too: the receiver believes no event, and reads the document after each. */
export async function receivers(place: Place, gap?: string): Promise<View> {
  const api = new Api(place);
  const known = new Map<string, string>();
  const inbox = await place.receive(async (post) => {
    if (gap !== "hint" && !isRight(post, inbox.key, gap)) return 401;
    for (const { data } of JSON.parse(post.raw) as { data: { id: string; status: string } }[]) {
      const status = gap === "hint" ? await api.status(data.id).catch(() => undefined) : data.status;
      if (status !== undefined && rank(status) >= rank(known.get(data.id))) known.set(data.id, status);
    }
    return 200;
  });
  const until = async (id: string, wanted: readonly string[]): Promise<string> => {
    // An event may be lost, so the client also asks now and then.
    for (let waited = 0; ; waited += 1000) {
      const status = known.get(id);
      if (status !== undefined && wanted.includes(status)) return status;
      if (waited > 2 * HOUR_MS && gap === "deaf") throw new Error("no event came");
      if (waited > 2 * HOUR_MS) return status ?? "unknown";
      await sleep(1000);
      if (gap !== "deaf" && waited % 300_000 === 299_000) known.set(id, await api.status(id));
    }
  };
  try {
    const id = await api.create(offer("Received", { order: "received-1" }));
    try {
      if ((await until(id, ["document.draft", ...ENDS])) === "document.draft") await api.send(id);
      return { [id]: await until(id, ENDS) };
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return { [id]: "deleted" };
      throw error;
    }
  } finally {
    await inbox.close();
  }
}

const LIFE = ["document.uploaded", "document.draft", "document.sent", "document.viewed"];
const rank = (status: string | undefined) => {
  if (status === undefined) return -1;
  return LIFE.includes(status) ? LIFE.indexOf(status) : LIFE.length;
};

function isRight({ raw, signature }: Post, key: string, gap: string | undefined): boolean {
  const digest = (text: string, form: "hex" | "base64" = "hex") => createHmac("sha256", key).update(text).digest(form);
  switch (gap) {
    case "ignored":
      return true;
    case "reserialized":
      return signature === digest(JSON.stringify(JSON.parse(raw)));
    case "base64":
      return signature === digest(raw, "base64");
    case "bare_key":
    case "deaf":
      return signature === key;
    case "prefix":
      return signature?.slice(0, 8) === digest(raw).slice(0, 8);
    case "shorter":
      return signature !== null && digest(raw).startsWith(signature);
    case "when_present":
      return signature === null || signature === digest(raw);
    default:
      return signature?.length === 64 && timingSafeEqual(Buffer.from(signature), Buffer.from(digest(raw)));
  }
}
