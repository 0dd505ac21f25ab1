/** Each view takes its texts of a journal entry from here, so that no view shows a secret. */
import { shownParts, partsByName } from "./body-parts.ts";
import type { BodyPart, JournalEntry } from "./journal.ts";
import { redactField, redactHeaders, redactPairs, redactText, type Secrets } from "./redact.ts";

export function requestSecrets({ caller, secret }: JournalEntry): Secrets {
  return { key: caller?.key, members: secret?.request };
}

export function answerSecrets({ caller, secret }: JournalEntry): Secrets {
  return { key: caller?.key, members: secret?.response };
}

export function shownUrl(one: JournalEntry): string {
  const secrets = requestSecrets(one);
  const queryAt = one.url.indexOf("?");
  if (queryAt < 0) return redactText(one.url, secrets);
  return `${redactText(one.url.slice(0, queryAt), secrets)}?${redactPairs(one.url.slice(queryAt + 1), secrets)}`;
}

export function shownQuery(one: JournalEntry): [name: string, values: string[]][] {
  const secrets = requestSecrets(one);
  return Object.entries(one.query).map(([name, values]) => [name, values.map((value) => redactField(name, value, secrets))]);
}

export function shownHeaders(one: JournalEntry): Record<string, string> {
  return redactHeaders(one.headers, requestSecrets(one));
}

export function shownRequestParts(one: JournalEntry): BodyPart[] {
  return shownParts(one.parts ?? [], requestSecrets(one));
}

export function shownBody(one: JournalEntry): string {
  const secrets = requestSecrets(one);
  if (one.parts) return JSON.stringify(partsByName(shownParts(one.parts, secrets)));
  const isForm = one.headers["content-type"]?.trim().toLowerCase().startsWith("application/x-www-form-urlencoded");
  return isForm ? redactPairs(one.body, secrets) : redactText(one.body, secrets);
}

/** The request as views show it. */
export function shownEntry(one: JournalEntry): JournalEntry {
  const url = shownUrl(one);
  const query = Object.fromEntries(shownQuery(one));
  return { ...one, url, path: url.split("?", 1)[0] as string, query, headers: shownHeaders(one), body: shownBody(one) };
}

export function shownAnswerHeaders(one: JournalEntry): Record<string, string> {
  return redactHeaders(one.responseHeaders, answerSecrets(one));
}

export function shownAnswer(one: JournalEntry): string {
  return redactText(one.responseBody, answerSecrets(one));
}

export function shownWhy(one: JournalEntry): string | undefined {
  return one.why === undefined ? undefined : redactText(one.why, requestSecrets(one));
}
