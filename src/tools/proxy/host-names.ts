/** The names of hosts in the first bytes of a client in a tunnel: in a TLS hello, or in an HTTP call. */

/** The bytes that a client may send before its names are known. */
const READ_MAX = 65_536;

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"];

/** Undefined while more bytes are necessary. `unreadable` when the names stay unknown. */
export function firstNames(bytes: Buffer): readonly string[] | "unreadable" | undefined {
  if (bytes.length === 0) return undefined;
  const found = bytes[0] === HANDSHAKE ? namesInHello(bytes) : namesInCall(bytes);
  return found ?? (bytes.length > READ_MAX ? "unreadable" : undefined);
}

function namesInCall(bytes: Buffer): readonly string[] | undefined {
  const text = bytes.subarray(0, READ_MAX).toString("latin1");
  const isMethod = METHODS.some((method) => text.startsWith(`${method} `) || `${method} `.startsWith(text));
  if (!isMethod) return [];
  const [line = "", ...more] = text.split("\n");
  if (more.length === 0) return undefined;
  const [, target = ""] = / (\S+) HTTP\/1/.exec(line) ?? [];
  if (target === "") return [];
  const end = text.search(/\r?\n\r?\n/);
  if (end < 0) return undefined;
  const hosts = [...text.slice(0, end).matchAll(/^host[ \t]*:[ \t]*(.*?)[ \t]*$/gim)].map(([, host = ""]) => withoutPort(host));
  return [...hosts, ...(URL.canParse(target) ? [new URL(target).hostname] : [])];
}

/** The host in a `Host` header. */
export function withoutPort(host: string): string {
  return host.trim().replace(/:\d*$/, "");
}

/** The type of a TLS record that begins a connection. */
export const HANDSHAKE = 22;
const HELLO = 1;
const RECORD_HEAD = 5;
const HELLO_HEAD = 4;
const SERVER_NAME = 0;

/** RFC 8446, 4.1.2 and 5.1: a hello can fill several records. */
function namesInHello(bytes: Buffer): readonly string[] | "unreadable" | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; at + RECORD_HEAD <= bytes.length && bytes[at] === HANDSHAKE; ) {
    const end = at + RECORD_HEAD + bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + RECORD_HEAD, end));
    at = end;
  }
  const message = Buffer.concat(parts);
  if (message.length < HELLO_HEAD) return undefined;
  if (message[0] !== HELLO) return "unreadable";
  const length = message.readUIntBE(1, 3);
  if (length > READ_MAX) return "unreadable";
  if (message.length < HELLO_HEAD + length) return undefined;
  try {
    return namesOf(message.subarray(HELLO_HEAD, HELLO_HEAD + length));
  } catch {
    return "unreadable";
  }
}

/** @throws RangeError when a length is wrong */
function namesOf(hello: Buffer): string[] {
  // The version and the random bytes; then the session, the ciphers and the compression, each with its length.
  let at = 34;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const names: string[] = [];
  for (at += 2; at < hello.length; ) {
    const type = hello.readUInt16BE(at);
    const size = hello.readUInt16BE(at + 2);
    if (type === SERVER_NAME) {
      const length = hello.readUInt16BE(at + 7);
      if (at + 9 + length > hello.length) throw new RangeError("the name ends after the hello");
      names.push(hello.toString("latin1", at + 9, at + 9 + length));
    }
    at += 4 + size;
  }
  return names;
}
