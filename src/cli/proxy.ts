import { resolve } from "node:path";
import type { Profile } from "../engine/assumptions/profile-names.ts";
import { OFFICIAL_HOSTS } from "../library/kit/hosts.ts";
import type { RunningProxy } from "../tools/proxy/proxy.ts";
import { createSandbox } from "../library/sandbox.ts";
import type { Sandbox } from "../library/types.ts";
import { writeReport } from "./report-files.ts";
import type { RunFlags } from "./run.ts";
import { usageCode } from "./usage-error.ts";

export interface ProxyFlags {
  port?: number;
  ca: string;
  passThrough?: boolean;
  scenario?: string[];
  fixtures?: string;
  seed?: string;
  clock?: RunFlags["clock"];
  assume?: string[];
  profile?: Profile;
  json?: boolean;
}

export async function proxy(flags: ProxyFlags): Promise<number> {
  const { port, ca, passThrough, json, ...settings } = flags;
  const { proxyEnv, startProxy } = await import("../tools/proxy/proxy.ts");
  let sandbox: Sandbox | undefined;
  let started: RunningProxy | undefined;
  try {
    sandbox = await createSandbox({ ...settings, port: 0, publicUrl: `https://${OFFICIAL_HOSTS[0]}` });
    const { hostname, port: target } = new URL(sandbox.url);
    started = await startProxy({
      ...{ port, passThrough, hosts: OFFICIAL_HOSTS, target: { host: hostname, port: Number(target) } },
      onRefused: (_, why) => process.stderr.write(why),
    });
    const caFile = resolve(ca);
    writeReport(caFile, started.ca);
    const ended = new Promise<void>((done) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => done());
    });
    const env = proxyEnv(started.url, caFile);
    const connection = { proxy: started.url, ca: caFile, url: sandbox.url, key: sandbox.apiKey, env };
    process.stdout.write(json ? `${JSON.stringify(connection)}\n` : textOf(connection));
    await ended;
    return 0;
  } catch (error) {
    return usageCode(error);
  } finally {
    await started?.close();
    await sandbox?.close();
  }
}

interface Connection {
  proxy: string;
  ca: string;
  url: string;
  key: string;
  env: Record<string, string>;
}

function textOf({ proxy: address, ca, url, key, env }: Connection): string {
  return `docdouble proxy listening on ${address}
It answers ${OFFICIAL_HOSTS.join(" and ")}. The API key is ${key}. The inspector is at ${url}/__admin/.
Clients must trust ${ca}. Set these variables where your program starts:

${Object.entries(env)
  .map(([name, value]) => `export ${name}=${/^[\w.:,/-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}`)
  .join("\n")}

Java reads no variable: keytool -importcert -noprompt -alias docdouble -file FILE -keystore trust.p12 -storepass changeit
then java -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=${new URL(address).port} -Djavax.net.ssl.trustStore=trust.p12
`;
}
