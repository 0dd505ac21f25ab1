import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { fileURLToPath } from "node:url";

/** Ignored by Git, and it belongs to this checkout only. */
const FILE = fileURLToPath(new URL("../../node_modules/.npm-certificates.pem", import.meta.url));

/**
 * Removes NODE_EXTRA_CA_CERTS from the environment, and gives its certificates to npm only. Node parses them at each start, which takes
 * twice as long as the rest of the start. npm's option `cafile` replaces the public certificates, so the file holds both.
 */
export function leaveCertificatesToNpm(file = FILE): void {
  const { NODE_EXTRA_CA_CERTS, npm_config_cafile } = process.env;
  if (!NODE_EXTRA_CA_CERTS) return;
  if (!npm_config_cafile) {
    let extra: string;
    try {
      extra = readFileSync(NODE_EXTRA_CA_CERTS, "utf8");
    } catch {
      // Node warns about a missing file, and then continues without it.
      return;
    }
    // Test runs start side by side, and npm must not read half a file.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, [...rootCertificates, extra].join("\n"));
    renameSync(unfinished, file);
    process.env.npm_config_cafile = file;
  }
  delete process.env.NODE_EXTRA_CA_CERTS;
}
