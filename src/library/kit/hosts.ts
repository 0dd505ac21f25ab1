import { SettingsError } from "../errors.ts";
import { hostNameOf } from "./host-name.ts";

/** The hosts of the API, and of the pages for signing and authorization. */
export const OFFICIAL_HOSTS: readonly string[] = ["api.pandadoc.com", "app.pandadoc.com"];

/** The address of a local server. */
export interface Target {
  host: string;
  port: number;
}

export const INTERCEPT: unique symbol = Symbol.for("docdouble.intercept") as never;

export interface Interceptable {
  [INTERCEPT]: {
    /** Links in answers name this address until the returned function runs. */
    advertise(url: string): () => void;
    /** A sandbox without a port opens a free port on loopback. @throws ClosedError */
    target(): Promise<Target>;
  };
}

/** @throws SettingsError */
export function checkHosts(hosts: readonly string[], method: string): string[] {
  if (!Array.isArray(hosts) || hosts.length === 0)
    throw new SettingsError(`${method}: hosts is a list of host names such as ${OFFICIAL_HOSTS[0]}`);
  const bad = hosts.find((host) => typeof host !== "string" || !/^[a-z0-9.-]+$/i.test(host));
  if (bad !== undefined)
    throw new SettingsError(`${method}: hosts takes bare host names such as ${OFFICIAL_HOSTS[0]}, not ${JSON.stringify(bad)}`);
  return hosts.flatMap((host) => hostNameOf(host) ?? []);
}
