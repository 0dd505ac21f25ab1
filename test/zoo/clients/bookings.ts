/** Books signed offers. Webhooks report the changes, and each signed offer gets one welcome letter. */
import { Api, Refused } from "../api.ts";
import { ENDS, isSigned, offer, type Place, type Post, sleep, type View } from "../place.ts";

interface News {
  id: string;
  status: string;
  date_modified: string;
}

const LIFE = ["document.uploaded", "document.draft", "document.sent", "document.viewed"];

export async function bookings(place: Place, gap?: string): Promise<View> {
  const api = new Api(place, { gap });
  // The service repeats a webhook that fails, so its processing repeats nothing.
  const books = new Books(new Api(place, { tries: 1 }), gap);
  const receiver = await place.receive((post) => books.handle(post));
  books.key = receiver.key;
  let id = "";
  try {
    id = await api.create(offer("Booking 3", { order: "booking-3" }));
    books.own = id;
    const ready = await api.until(id, ["document.draft", ...ENDS], 60);
    if (ready === "document.draft") await api.send(id);
    for (let look = 1; look <= (gap === "only_webhooks" ? 1e9 : 40); look++) {
      await sleep(5000);
      // Webhooks may be late or lost. Without news, the client polls.
      if (!books.hasHeardTheEnd && gap !== "only_webhooks") {
        const { body } = await api.call("GET", `/documents/${id}`);
        await books.book(body).catch(() => undefined);
      }
      if (books.isDone) break;
    }
    return { [id]: books.news.get(id)?.status ?? "unknown" };
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return { [id]: "deleted" };
    throw error;
  } finally {
    await receiver.close();
  }
}

class Books {
  key = "";
  own = "";
  hasHeardTheEnd = false;
  readonly news = new Map<string, News>();
  readonly #api: Api;
  readonly #gap: string | undefined;
  readonly #seen = new Set<string>();
  #before: Promise<void> = Promise.resolve();
  #letters = 0;

  constructor(api: Api, gap: string | undefined) {
    this.#api = api;
    this.#gap = gap;
  }

  get isDone(): boolean {
    return ENDS.includes(this.news.get(this.own)?.status ?? "");
  }

  async handle(post: Post): Promise<number> {
    if (this.#gap !== "signature" && !isSigned(post, this.key)) return 401;
    if (this.#gap !== "twice" && this.#seen.has(post.eventId)) return 200;
    const events = JSON.parse(post.raw) as { data: News }[];
    const processed = this.#process(events);
    if (this.#gap === "answer_first") {
      for (const { data } of events) this.hasHeardTheEnd ||= this.#isTheEnd(data);
      void processed.catch(() => undefined);
      return 200;
    }
    try {
      await processed;
    } catch {
      return 503;
    }
    this.#seen.add(post.eventId);
    return 200;
  }

  async #process(events: readonly { data: News }[]): Promise<void> {
    for (const { data } of events) {
      await this.book(data);
      this.hasHeardTheEnd ||= this.#isTheEnd(data);
    }
  }

  /** Books one piece of news after the other. */
  book(news: News): Promise<void> {
    const booked = this.#before.then(() => this.#bookNow(news));
    this.#before = booked.catch(() => undefined);
    return booked;
  }

  /** Older news does not replace newer news. */
  async #bookNow(news: News): Promise<void> {
    const before = this.news.get(news.id);
    if (this.#gap !== "order" && before && !isNewer(news, before)) return;
    if (news.id === this.own && news.status === "document.completed") await this.#welcome(news.id);
    this.news.set(news.id, news);
  }

  async #welcome(id: string): Promise<void> {
    this.#letters++;
    const order = this.#gap === "twice" ? `welcome-${id}-${this.#letters}` : `welcome-${id}`;
    try {
      if (!(await this.#api.find(order))) await this.#api.create(offer("Welcome", { order }));
    } catch (error) {
      // The next try comes with the next event, and must not come too soon.
      if (error instanceof Refused) await sleep(0, error.asked);
      throw error;
    }
  }

  #isTheEnd({ id, status }: News): boolean {
    return id === this.own && ENDS.includes(status);
  }
}

/** At the same instant, the later status in a document's life is newer. */
function isNewer(news: News, before: News): boolean {
  if (news.date_modified !== before.date_modified) return news.date_modified > before.date_modified;
  const age = ({ status }: News) => (LIFE.includes(status) ? LIFE.indexOf(status) : LIFE.length);
  return age(news) >= age(before);
}
