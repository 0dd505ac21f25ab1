/** Writes certificates as a trust store of Java, in the format JKS. */
import { createHash, X509Certificate } from "node:crypto";

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const TRUSTED_CERTIFICATE = 2;
/** Java mixes these words into the digest of each store. */
const WHITENER = "Mighty Aphrodite";

/** @param pem one or more certificates */
export function trustStore(pem: string, password: string): Buffer {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const entries = certificates.map((one, i) => entryOf(`docdouble-${i}`, new X509Certificate(one).raw));
  const content = Buffer.concat([word(MAGIC), word(VERSION), word(entries.length), ...entries]);
  const secret = Buffer.from(password, "utf16le").swap16();
  const digest = createHash("sha1").update(secret).update(WHITENER).update(content).digest();
  return Buffer.concat([content, digest]);
}

function entryOf(alias: string, certificate: Buffer): Buffer {
  const madeAt = Buffer.alloc(8);
  return Buffer.concat([word(TRUSTED_CERTIFICATE), text(alias), madeAt, text("X.509"), word(certificate.length), certificate]);
}

function word(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function text(value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([length, Buffer.from(value)]);
}
