import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { isoMillis, systemClock } from "../../engine/core/clock.ts";
import { unguessable } from "../../engine/core/ids.ts";
import { DAY_MS } from "../../engine/core/time-limits.ts";

const BEFORE_MS = 2 * DAY_MS;
/** Some clients refuse certificates with more than 398 days. */
const AFTER_MS = 90 * DAY_MS;

export interface Authority {
  pem: string;
  contextFor(host: string): SecureContext;
}

export function makeAuthority(): Authority {
  const authority = newKeys();
  const name = nameOf("docdouble, for this run only");
  const keyId = keyIdOf(authority.publicKey);
  const certificate = certify({
    ...{ issuer: name, subject: name, publicKey: authority.publicKey, signer: authority.privateKey },
    extensions: [
      extension("2.5.29.19", sequence(der(BOOLEAN, Buffer.from([0xff]))), "critical"),
      // keyCertSign and cRLSign.
      extension("2.5.29.15", der(BIT_STRING, Buffer.from([1, 0b0000_0110])), "critical"),
      extension("2.5.29.14", der(OCTET_STRING, keyId)),
    ],
  });
  const contexts = new Map<string, SecureContext>();
  return {
    pem: pemOf(certificate),
    contextFor(host) {
      const known = contexts.get(host);
      if (known) return known;
      const { publicKey, privateKey } = newKeys();
      const cert = certify({
        ...{ issuer: name, subject: nameOf(host), publicKey, signer: authority.privateKey },
        extensions: [
          extension("2.5.29.19", sequence(), "critical"),
          extension("2.5.29.15", der(BIT_STRING, Buffer.from([7, 0b1000_0000])), "critical"),
          extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"))),
          extension("2.5.29.17", sequence(der(DNS_NAME, Buffer.from(host, "latin1")))),
          extension("2.5.29.14", der(OCTET_STRING, keyIdOf(publicKey))),
          extension("2.5.29.35", sequence(der(KEY_ID, keyId))),
        ],
      });
      const context = createSecureContext({ cert: pemOf(cert), key: privateKey.export({ type: "pkcs8", format: "pem" }) });
      contexts.set(host, context);
      return context;
    },
  };
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

interface Wanted {
  issuer: Buffer;
  subject: Buffer;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: readonly Buffer[];
}

function certify({ issuer, subject, publicKey, signer, extensions }: Wanted): Buffer {
  const now = systemClock.now();
  const algorithm = sequence(oid("1.2.840.10045.4.3.2"));
  const body = sequence(
    der(context(0), der(INTEGER, Buffer.from([2]))),
    // Positive, and at most 20 bytes.
    der(INTEGER, Buffer.concat([Buffer.from([1]), createHash("sha256").update(unguessable()).digest().subarray(0, 16)])),
    algorithm,
    issuer,
    sequence(time(now - BEFORE_MS), time(now + AFTER_MS)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(context(3), sequence(...extensions)),
  );
  return sequence(body, algorithm, der(BIT_STRING, Buffer.concat([Buffer.from([0]), sign("sha256", body, signer)])));
}

const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const GENERALIZED_TIME = 0x18;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
/** In a list of alternative names. */
const DNS_NAME = 0x82;
/** In the identifier of the authority's key. */
const KEY_ID = 0x80;
const context = (number: number) => 0xa0 + number;

function der(type: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(SEQUENCE, ...parts);
}

/** The first two numbers share a byte. Other numbers take 7 bits per byte, with the high bit set in all bytes but the last. */
function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = rest.flatMap((number) => {
    const digits = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(OBJECT_ID, Buffer.from([first * 40 + second, ...bytes]));
}

function nameOf(text: string): Buffer {
  return sequence(der(SET, sequence(oid("2.5.4.3"), der(UTF8_STRING, Buffer.from(text)))));
}

/** RFC 5280 demands the short form until 2049. */
function time(instant: number): Buffer {
  const digits = `${isoMillis(instant).slice(0, 19).replace(/\D/g, "")}Z`;
  return digits < "2050" ? der(UTC_TIME, Buffer.from(digits.slice(2))) : der(GENERALIZED_TIME, Buffer.from(digits));
}

function extension(id: string, value: Buffer, critical?: "critical"): Buffer {
  return sequence(oid(id), ...(critical ? [der(BOOLEAN, Buffer.from([0xff]))] : []), der(OCTET_STRING, value));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest()
    .subarray(0, 20);
}

function pemOf(certificate: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64").replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}
