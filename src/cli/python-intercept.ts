/**
 * `sitecustomize.py` for `--intercept`. It leads each client of Python to docdouble, also one that uses no proxy, such as urllib3 in
 * the official client.
 */
import { PYTHON_CHAIN } from "./python-chain.ts";

export const interceptSitecustomize = (
  port: number,
  authority: string,
): string => `# Calls of this program to hosts of the service reach docdouble.
import importlib.machinery
import os
import sys

${PYTHON_CHAIN}

def _install(port, authority):
    import socket

    # Names of the service resolve to this address, and a connection to this address goes to docdouble.
    there, here = "127.100.68.68", ("127.0.0.1", port)

    def is_ours(host):
        if isinstance(host, (bytes, bytearray)):
            host = bytes(host).decode("latin1")
        if not isinstance(host, str):
            return False
        name = host.lower().rstrip(".")
        return name == "pandadoc.com" or name.endswith(".pandadoc.com")

    real_getaddrinfo, real_gethostbyname, real_gethostbyname_ex = socket.getaddrinfo, socket.gethostbyname, socket.gethostbyname_ex

    def getaddrinfo(host, port, *args, **kwargs):
        return real_getaddrinfo(there if is_ours(host) else host, port, *args, **kwargs)

    def gethostbyname(host):
        return there if is_ours(host) else real_gethostbyname(host)

    def gethostbyname_ex(host):
        return (host, [], [there]) if is_ours(host) else real_gethostbyname_ex(host)

    def led(address):
        is_named = isinstance(address, tuple) and len(address) > 0 and (address[0] == there or is_ours(address[0]))
        return here if is_named else address

    socket.getaddrinfo, socket.gethostbyname, socket.gethostbyname_ex = getaddrinfo, gethostbyname, gethostbyname_ex
    base = socket.socket
    real_connect, real_connect_ex = base.connect, base.connect_ex
    base.connect = lambda self, address: real_connect(self, led(address))
    base.connect_ex = lambda self, address: real_connect_ex(self, led(address))

    def certificates():
        """A context of the program trusts docdouble's certificate for hosts of the service only."""
        import ssl

        context = ssl.SSLContext
        real_wrap_socket, real_wrap_bio = context.wrap_socket, context.wrap_bio

        def trust(self, server_hostname):
            if is_ours(server_hostname) and not getattr(self, "_docdouble", False):
                self.load_verify_locations(cadata=authority)
                self._docdouble = True

        def wrap_socket(self, sock, server_side=False, do_handshake_on_connect=True, suppress_ragged_eofs=True, server_hostname=None, session=None):
            trust(self, server_hostname)
            return real_wrap_socket(self, sock, server_side, do_handshake_on_connect, suppress_ragged_eofs, server_hostname, session)

        def wrap_bio(self, incoming, outgoing, server_side=False, server_hostname=None, session=None):
            trust(self, server_hostname)
            return real_wrap_bio(self, incoming, outgoing, server_side, server_hostname, session)

        context.wrap_socket, context.wrap_bio = wrap_socket, wrap_bio

    def proxies():
        """A lost connection is another error behind a proxy, and urllib3 then repeats what it would not repeat. So no proxy."""
        import urllib.request as request

        real_bypass, real_proxies = request.proxy_bypass, request.getproxies

        def proxy_bypass(host, *args, **kwargs):
            return is_ours(str(host).rsplit(":", 1)[0]) or real_bypass(host, *args, **kwargs)

        def getproxies():
            found = dict(real_proxies())
            found["no"] = ",".join(one for one in (found.get("no"), "pandadoc.com") if one)
            return found

        request.proxy_bypass, request.getproxies = proxy_bypass, getproxies

    _later("ssl", certificates)
    _later("urllib.request", proxies)


try:
    _own()
finally:
    _install(${port}, ${JSON.stringify(authority)})
`;
