import { validateHeaderName } from "node:http";

/**
 * Why HTTP cannot send the header. Undefined when it can. Latin-1 is refused too: Node accepts it, but sends UTF-8 when body and header
 * leave together.
 */
export function whyUnsendable(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name);
  } catch {
    return `${JSON.stringify(name)} is not a header name: use letters, digits and hyphens`;
  }
  const found = /[^\t\x20-\x7e]/u.exec(value)?.[0];
  if (found === undefined) return undefined;
  const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `the header ${name} holds U+${code}, which HTTP does not carry safely: use printable ASCII, or percent-encode it`;
}
