const texts = new WeakMap<Response, string>();

/** Notes the text of an answer for a reader in this process, because `Response` turns it into a stream. */
export function keepText(response: Response, text: string): void {
  texts.set(response, text);
}

export function readText(response: Response): string | Promise<string> {
  return texts.get(response) ?? response.text();
}
