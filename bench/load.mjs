// The load generator, in a thread of its own: keep-alive connections, each sending its next request when the last is answered.
import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const { url, method, body, headers, connections, duration_ms } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const end = performance.now() + duration_ms;
let answers = 0;
let failures = 0;

const once = () =>
  new Promise((resolve) => {
    const call = request(url, { method, agent, headers }, (response) => {
      response.on("data", () => {});
      response.on("end", () => {
        if (response.statusCode < 300) answers++;
        else failures++;
        resolve();
      });
    });
    call.on("error", () => {
      failures++;
      resolve();
    });
    call.end(body);
  });

const start = performance.now();
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (performance.now() < end) await once();
  }),
);
parentPort.postMessage({ perSecond: answers / ((performance.now() - start) / 1000), failures });
agent.destroy();
