/**
 * A client in a separate process: `node fault-client.mjs CLIENT URL FAULT,FAULT`.
 * It calls the URL once per fault, all at once. A header names the fault. It prints the outcome of each call.
 * An outcome is the status with the type of the parsed body, or the error's code, or else the error's name.
 */
import http from "node:http";
import axios from "axios";
import { Agent, request } from "undici";

const PATIENCE_MS = 20_000;
const HANG_MS = 1500;
const [client, url, faults] = process.argv.slice(2);

const CREATE = { template_uuid: "TemplateOneSignerxxxxx", recipients: [{ email: "ivo.marek@client.example", role: "Client" }] };

const CLIENTS = {
  async fetch(headers, patience) {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(patience) });
    return `${answer.status} ${typeof (await answer.json())}`;
  },
  http: (headers, patience) =>
    new Promise((resolve, reject) => {
      const call = http.get(url, { headers, timeout: patience }, (answer) => {
        let text = "";
        answer.on("data", (part) => {
          text += part;
        });
        answer.on("end", () => {
          try {
            resolve(`${answer.statusCode} ${typeof JSON.parse(text)}`);
          } catch (error) {
            reject(error);
          }
        });
        answer.on("error", reject);
      });
      call.on("timeout", () => call.destroy(Object.assign(new Error("too late"), { code: "timeout event" })));
      call.on("error", reject);
    }),
  async undici(headers, patience) {
    const dispatcher = new Agent({ headersTimeout: patience, bodyTimeout: patience });
    const { statusCode, body } = await request(url, { dispatcher, headers });
    return `${statusCode} ${typeof (await body.json())}`;
  },
  async axios(headers, patience) {
    const { status, data } = await axios.get(url, { headers, timeout: patience, proxy: false });
    return `${status} ${typeof data}`;
  },
  /** Creates a document with the name of the fault. */
  async create(headers, patience) {
    const body = { ...CREATE, name: headers["x-fault"] };
    return `${(await axios.post(url, body, { headers, timeout: patience, proxy: false })).status}`;
  },
};

/** The cause of a failed fetch has a code. A parser error has none since undici 7, so its name counts. */
const causeOf = ({ name, code }) => (name === "HTTPParserError" ? name : code);

const codeOf = (error) =>
  error instanceof TypeError && error.cause
    ? `${error.message}: ${causeOf(error.cause)}`
    : typeof error.code === "string"
      ? error.code
      : error.name;

async function outcomeOf(fault) {
  const headers = { authorization: "API-Key docdouble-key", "x-fault": fault };
  try {
    return [fault, await CLIENTS[client](headers, fault === "hang" ? HANG_MS : PATIENCE_MS)];
  } catch (error) {
    return [fault, codeOf(error)];
  }
}

console.log(JSON.stringify(Object.fromEntries(await Promise.all(faults.split(",").map(outcomeOf)))));
process.exit();
