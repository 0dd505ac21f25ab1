/** The environment of the tests: commands of npm get additional certificates, and other starts of Node do not read them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect, test, vi } from "vitest";
import { leaveCertificatesToNpm } from "../support/certificates.ts";
import { files } from "../support/process.ts";

const EXTRA = "-----BEGIN CERTIFICATE-----\nof a company\n-----END CERTIFICATE-----\n";

function inEnvironment(variables: Record<string, string | undefined>): { extra: string | undefined; cafile: string | undefined } {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    leaveCertificatesToNpm(join(files(), "all.pem"));
    return { extra: process.env.NODE_EXTRA_CA_CERTS, cafile: process.env.npm_config_cafile };
  } finally {
    vi.unstubAllEnvs();
  }
}

test("npm trusts the additional certificates and all public ones", () => {
  const extra = join(files(), "extra.pem");
  writeFileSync(extra, EXTRA);
  const { extra: left, cafile } = inEnvironment({ NODE_EXTRA_CA_CERTS: extra, npm_config_cafile: undefined });
  expect(left).toBeUndefined();
  const all = readFileSync(cafile ?? "", "utf8");
  expect(all).toContain(EXTRA);
  expect(rootCertificates.filter((one) => !all.includes(one))).toEqual([]);
});

test("npm keeps the file of certificates that the user chose", () => {
  const cafile = "/certificates/of-the-user.pem";
  expect(inEnvironment({ NODE_EXTRA_CA_CERTS: "/anything.pem", npm_config_cafile: cafile })).toEqual({
    extra: undefined,
    cafile,
  });
});

test("an unreadable file stays in the environment, so that Node warns about it", () => {
  const missing = join(files(), "missing.pem");
  expect(inEnvironment({ NODE_EXTRA_CA_CERTS: missing, npm_config_cafile: undefined })).toEqual({
    extra: missing,
    cafile: undefined,
  });
});
