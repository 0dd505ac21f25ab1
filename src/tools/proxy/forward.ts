import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest, type ServerResponse } from "node:http";
import { request as httpsRequest } from "node:https";
import { messageOf } from "../../engine/core/text.ts";
import { withoutPort } from "./host-names.ts";
import { type ProxyOptions, refusal, type Route, routeOf } from "./route.ts";

/** RFC 9110, 7.6.1: these headers are about one connection. Node writes the length or the chunks of a body itself. */
const HOP_BY_HOP = new Set(["connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "trailer", "upgrade"]);
const USE = "This is a proxy. Set HTTPS_PROXY to its address, and call https://api.pandadoc.com.";

/** Some clients, such as axios, send https calls to a proxy without a tunnel. */
export function forward(options: ProxyOptions, request: IncomingMessage, response: ServerResponse): void {
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : undefined;
  const route = routeOfCall(options, url, request.headers.host ?? "");
  if (!url || route.to === "nowhere") {
    options.onRefused?.(route.host, route.to === "nowhere" ? route.why : "");
    response.writeHead(route.to === "nowhere" ? route.status : 403, { "content-type": "text/plain" });
    response.end(route.to === "nowhere" ? route.why : USE);
    return;
  }
  const isOurs = route.to === "sandbox";
  const to = isOurs ? { ...options.target, protocol: "http:" } : { host: route.host, port: url.port, protocol: url.protocol };
  const send = to.protocol === "https:" ? httpsRequest : httpRequest;
  // The client must meet a fault of the sandbox unchanged. Another host without a usable answer is a 502.
  const fail = (error: unknown) => {
    if (isOurs || response.headersSent) response.socket?.resetAndDestroy();
    else
      response.writeHead(502, { "content-type": "text/plain" }).end(`${url.host} gave no usable answer: ${messageOf(error)}\n`);
  };
  const headers = { ...endToEnd(request.headers), host: url.host };
  const outgoing = send(
    { ...to, agent: false, path: `${url.pathname}${url.search}`, method: request.method, headers },
    (answer) => {
      answer.on("error", () => response.socket?.resetAndDestroy());
      try {
        // Throws for a status that HTTP does not have.
        response.writeHead(answer.statusCode ?? 502, withoutChunks(endToEnd(answer.headers)));
      } catch (error) {
        answer.destroy();
        fail(error);
        return;
      }
      answer.pipe(response);
    },
  );
  let isAnswered = false;
  outgoing.once("response", () => (isAnswered = true));
  outgoing.on("error", fail);
  outgoing.once("upgrade", (_, socket) => {
    socket.destroy();
    isAnswered = true;
    fail(new Error("status code: 101"));
  });
  outgoing.once("close", () => isAnswered || response.writableEnded || fail(new Error("the connection closed")));
  request.on("error", () => outgoing.destroy());
  response.once("close", () => outgoing.destroy());
  request.pipe(outgoing);
}

function routeOfCall(options: ProxyOptions, url: URL | undefined, host: string): Route {
  if (!url) return refusal(403, "", USE);
  if (!/^https?:$/.test(url.protocol))
    return refusal(400, "", `The proxy forwards http and https, not ${url.protocol.slice(0, -1)}.\n`);
  return routeOf(options, [url.hostname, withoutPort(host)]);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? "").toLowerCase().split(/[\s,]+/);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.includes(name)));
}

function withoutChunks({ "transfer-encoding": _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers;
}
