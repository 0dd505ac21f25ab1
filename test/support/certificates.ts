/**
 * Removes NODE_EXTRA_CA_CERTS from the environment, and passes its file to npm only.
 * Node parses all these certificates at each start, which takes twice as long as the rest of the start.
 */
export function leaveCertificatesToNpm(): void {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  if (!NODE_EXTRA_CA_CERTS) return;
  process.env.npm_config_cafile ??= NODE_EXTRA_CA_CERTS;
  delete process.env.NODE_EXTRA_CA_CERTS;
}
