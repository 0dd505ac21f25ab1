/**
 * The host that a client reaches with this spelling: `API.PandaDoc.com.` and `api%2epandadoc.com` are `api.pandadoc.com`. An IPv6
 * address has no brackets. Undefined for a text that names no host.
 */
export function hostNameOf(text: string): string | undefined {
  if (text === "" || /[\s/?#@\\]/.test(text)) return undefined;
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const url = `http://${bare.includes(":") ? `[${bare}]` : bare}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  if (port !== "") return undefined;
  return hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "") || undefined;
}

/** Any host of the real service, as `hostNameOf` writes it. */
export function isRealHost(host: string): boolean {
  return /(^|\.)pandadoc\.com$/.test(host);
}
