/**
 * Sends a command's calls to PandaDoc's hosts to a server of docdouble. Node processes call it directly. Other programs use a proxy, which
 * connects all other hosts as usual.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { OFFICIAL_HOSTS } from "../library/kit/hosts.ts";
import { proxyEnv, type RunningProxy, startProxy } from "../tools/proxy/proxy.ts";
import { trustStore } from "../tools/proxy/trust-store.ts";
import { writePhpSettings } from "./php-intercept.ts";
import { interceptSitecustomize } from "./python-intercept.ts";
import { rubyIntercept } from "./ruby-intercept.ts";

interface Interception {
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

export async function intercepting(url: string): Promise<Interception> {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-"));
  try {
    return await interceptingWith(folder, url);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function interceptingWith(folder: string, url: string): Promise<Interception> {
  const { hostname, port } = new URL(url);
  const target = { host: hostname, port: Number(port) };
  const proxy = await startProxy({
    ...{ hosts: OFFICIAL_HOSTS, target, passThrough: true },
    onRefused: (_, why) => process.stderr.write(`docdouble proxy: ${why}`),
  });
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, proxy.ca);
  await writePhpSettings(folder, proxy.url, caFile);
  const { NODE_USE_ENV_PROXY: _, ...proxied } = proxyEnv(proxy.url, caFile);
  const variables = { ...proxied, ...withoutProxy(proxied.NO_PROXY), ...ofOtherRuntimes(folder, proxy) };
  return {
    env: {
      ...variables,
      // Node processes need no proxy for other hosts.
      NODE_USE_ENV_PROXY: process.env.NODE_USE_ENV_PROXY,
      ...ofNode(target, variables),
    },
    close: async () => {
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Hosts for which the user wants no proxy keep none. The service's own hosts need this proxy. */
function withoutProxy(local = ""): Record<string, string> {
  const own = (process.env.no_proxy ?? process.env.NO_PROXY ?? "").split(",").map((one) => one.trim());
  const isService = (one: string) => {
    const name = one.toLowerCase().replace(/^\*?\.?|:\d+$/g, "");
    return OFFICIAL_HOSTS.some((host) => host === name || host.endsWith(`.${name}`) || name === "");
  };
  const names = [local, ...own.filter((one) => !isService(one))].join(",");
  return { NO_PROXY: names, no_proxy: names };
}

/**
 * Many clients of Python and Ruby use no proxy, so a module leads their connections. Java reads proxy and certificates from system
 * properties, and PHP reads settings.
 */
function ofOtherRuntimes(folder: string, proxy: RunningProxy): Record<string, string> {
  const { hostname, port } = new URL(proxy.url);
  const ruby = join(folder, "docdouble_intercept.rb");
  writeFileSync(ruby, rubyIntercept(Number(port)));
  const python = join(folder, "python");
  mkdirSync(python);
  writeFileSync(join(python, "sitecustomize.py"), interceptSitecustomize(Number(port), proxy.authority));
  const store = join(folder, "trust.jks");
  writeFileSync(store, trustStore(proxy.ca, STORE_PASSWORD));
  const properties = {
    "https.proxyHost": hostname,
    "https.proxyPort": port,
    "http.nonProxyHosts": "localhost|127.*|[::1]",
    "javax.net.ssl.trustStore": store,
    "javax.net.ssl.trustStorePassword": STORE_PASSWORD,
    "javax.net.ssl.trustStoreType": "JKS",
  };
  const java = Object.entries(properties).map(([name, value]) => `-D${name}=${value}`);
  return {
    PYTHONPATH: [python, process.env.PYTHONPATH].filter(Boolean).join(delimiter),
    // The empty part stands for the folder that PHP has anyway.
    PHP_INI_SCAN_DIR: `${process.env.PHP_INI_SCAN_DIR ?? ""}${delimiter}${folder}`,
    // Neither variable takes a path with a space.
    ...(/\s/.test(folder)
      ? {}
      : {
          JAVA_TOOL_OPTIONS: [process.env.JAVA_TOOL_OPTIONS, ...java].filter(Boolean).join(" "),
          RUBYOPT: [process.env.RUBYOPT, `-r${ruby}`].filter(Boolean).join(" "),
        }),
  };
}

/** Java asks for a password of at least six characters. It protects nothing, because the store holds no secret. */
const STORE_PASSWORD = "docdouble";

/**
 * Node loads a module that redirects calls. It needs the form of CommonJS, because it loads no other form into a worker thread that is made
 * from text.
 */
function ofNode(target: { host: string; port: number }, missing: Record<string, string>): NodeJS.ProcessEnv {
  const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const joined = (...options: (string | undefined)[]) => options.filter(Boolean).join(" ");
  const nodeOption = `--require "${fileOf("./intercept-child.cjs").replace(/["\\]/g, "\\$&")}"`;
  return {
    NODE_OPTIONS: joined(process.env.NODE_OPTIONS, nodeOption),
    DOCDOUBLE_INTERCEPT: JSON.stringify({ hosts: OFFICIAL_HOSTS, target, nodeOption, missing }),
  };
}
