/** The host that a client reaches with this spelling: `API.PandaDoc.com.` is `api.pandadoc.com`. An IPv6 address has no brackets. */
export function hostNameOf(text: string): string {
  return text
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.+$/, "")
    .toLowerCase();
}

/** Any host of the real service, as `hostNameOf` writes it. */
export function isRealHost(host: string): boolean {
  return /(^|\.)pandadoc\.com$/.test(host);
}
