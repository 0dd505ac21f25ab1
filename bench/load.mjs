/**
 * The load generator, which runs in a separate thread. Each of its kept connections sends the next request after the last answer.
 * It uses `node:net`, because an HTTP client would cost more than the servers that it measures.
 */
import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

const { url, method, body = "", headers, connections, duration_ms, calls } = workerData;
const { hostname, port, pathname, search } = new URL(url);
const head = Object.entries({
  host: `${hostname}:${port}`,
  ...headers,
  ...(body ? { "content-length": Buffer.byteLength(body) } : {}),
});
const request = Buffer.from(
  `${method} ${pathname}${search} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
);
const END_OF_HEAD = "\r\n\r\n";
const end = performance.now() + duration_ms;
let answers = 0;
let failures = 0;
let begun = 0;
/** Times in ms from each request to the end of its answer. */
const times = [];

/** Calls `answered` with the status of each complete answer. */
function readAnswers(socket, answered) {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
    for (;;) {
      const at = text.indexOf(END_OF_HEAD);
      if (at < 0) return;
      const length = /content-length: (\d+)/i.exec(text.slice(0, at));
      // A chunked answer ends with an empty chunk. An answer without chunks and without a length ends with its head.
      const isChunked = !length && /transfer-encoding: chunked/i.test(text.slice(0, at));
      const last = isChunked ? text.indexOf("0\r\n\r\n", at + 4) : at + 4 + Number(length?.[1] ?? 0);
      if (isChunked ? last < 0 : text.length < last) return;
      const status = Number(text.slice(9, 12));
      text = text.slice(isChunked ? last + 5 : last);
      answered(status);
    }
  });
}

function caller() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.once("error", reject);
    socket.once("close", resolve);
    let sent = 0;
    const send = () => {
      begun++;
      sent = performance.now();
      socket.write(request);
    };
    readAnswers(socket, (status) => {
      const now = performance.now();
      times.push(now - sent);
      if (status < 300) answers++;
      else failures++;
      if (now < end && begun < calls) send();
      else socket.destroy();
    });
    socket.once("connect", send);
  });
}

const start = performance.now();
await Promise.all(Array.from({ length: connections }, caller));
const perSecond = answers / ((performance.now() - start) / 1000);
times.sort((a, b) => a - b);
parentPort.postMessage({ perSecond, failures, p99_ms: times[Math.floor(times.length * 0.99)] });
