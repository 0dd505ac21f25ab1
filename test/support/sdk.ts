/** The official client, and a sandbox that it reaches over a socket. */
import * as pandadoc from "pandadoc-node-client";
import type { Sandbox, SandboxOptions } from "../../src/library/types.ts";
import { strictSandbox } from "./world.ts";

export function listeningSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return strictSandbox({ port: 0, ...options });
}

/** Default credentials: the sandbox's API key. */
export function configurationOf(
  sandbox: Sandbox,
  authMethods: pandadoc.AuthMethodsConfiguration = { apiKey: `API-Key ${sandbox.apiKey}` },
): pandadoc.Configuration {
  return pandadoc.createConfiguration({ authMethods, baseServer: new pandadoc.ServerConfiguration(sandbox.url, {}) });
}
