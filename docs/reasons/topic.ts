/** A group of reasons on docs/reasons.md. */
export interface Topic {
  title: string;
  /** The statuses of answers with these reasons. */
  status: string;
  /** One or two sentences that hold for all reasons of the topic. */
  intro: string;
  reasons: readonly Note[];
}

/** `text` is exactly the text that docs/reasons.ts gathers from the sources. */
export type Note = readonly [text: string, meaning: string, fix: string];
