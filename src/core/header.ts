/** What HTTP lets a header say. */
import { validateHeaderName } from "node:http";

/**
 * Why no socket can send the header as it is; undefined when it can. Node also takes Latin-1, but sends it as UTF-8 when the body
 * leaves with the head.
 */
export function whyUnsendable(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name);
  } catch {
    return `${JSON.stringify(name)} is no header name: use letters, digits and hyphens`;
  }
  const found = /[^\t\x20-\x7e]/u.exec(value)?.[0];
  if (found === undefined) return undefined;
  const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `the header ${name} holds U+${code}, which HTTP does not carry safely: use printable ASCII, or percent-encode it`;
}
