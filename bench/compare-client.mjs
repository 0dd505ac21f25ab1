/**
 * The client that `docdouble compare` runs in the benchmark. The job `latency` calls the proxy and the real side in turns, and
 * writes both median times (ms) to a file. The job `record` makes many calls through the proxy, for a cassette.
 */
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:http";

const [job, real, result, count, create] = process.argv.slice(2);
const proxy = process.env.DOCDOUBLE_URL;
const agent = new Agent({ keepAlive: true });

/** Makes a call. Returns the answer's JSON. @throws when the answer is neither a success nor the 409 of a document in processing */
function call(url, key, method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `API-Key ${key}`, "content-type": "application/json" };
    const sent = request(url + path, { method, agent, headers }, (answer) => {
      let text = "";
      answer.on("data", (part) => (text += part));
      answer.on("end", () =>
        answer.statusCode < 300 || answer.statusCode === 409
          ? resolve(JSON.parse(text))
          : reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const viaProxy = (...rest) => call(proxy, process.env.DOCDOUBLE_API_KEY, ...rest);
const directly = (...rest) => call(real, "docdouble-key", ...rest);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function latency() {
  const { id } = await viaProxy("POST", "/public/v1/documents", create);
  while ((await viaProxy("GET", `/public/v1/documents/${id}`)).status === "document.uploaded");
  const kinds = [
    ["GET", `/public/v1/documents/${id}`],
    ["GET", `/public/v1/documents/${id}/details`],
    ["POST", "/public/v1/documents", create],
  ];
  const times = { direct: [], proxied: [] };
  for (let i = 0; i < Number(count); i++) {
    for (const [side, send] of [
      ["direct", directly],
      ["proxied", viaProxy],
    ]) {
      const begun = performance.now();
      await send(...kinds[i % kinds.length]);
      if (i >= count / 4) times[side].push(performance.now() - begun);
    }
  }
  return { direct: median(times.direct), proxied: median(times.proxied) };
}

async function record() {
  for (let made = 0; made < Number(count); made += 10) {
    const { id } = await viaProxy("POST", "/public/v1/documents", create);
    for (let i = 0; i < 5; i++) await viaProxy("GET", `/public/v1/documents/${id}`);
    for (let i = 0; i < 3; i++) await viaProxy("GET", `/public/v1/documents/${id}/details`);
    await viaProxy("GET", "/public/v1/documents?count=5");
  }
  return {};
}

writeFileSync(result, JSON.stringify(await (job === "latency" ? latency() : record())));
agent.destroy();
