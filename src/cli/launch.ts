#!/usr/bin/env node
/** The entry point of the command, in CommonJS because that starts sooner than a module. */
import { join } from "node:path";
import { BundleRunner } from "../engine/start/bundle-runner.ts";

/** The minimum in `engines` of package.json. npm only warns, and an older Node fails with an obscure syntax error. */
const [MAJOR, MINOR] = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < MAJOR || (major === MAJOR && minor < MINOR)) {
  process.stderr.write(`docdouble needs Node ${MAJOR}.${MINOR} or newer; this is ${process.versions.node}\n`);
  process.exit(2);
}

/** Bundles that load on first use: the library, which short commands do not need, its pages, and the reader of YAML. */
const LATER = ["library.cjs", "pages.cjs", "yaml.cjs"];
const TOO_SHORT_TO_CACHE =
  /^(assumptions|check|clock|compare|coverage|help|listen|logs|mcp|health|init|openapi|replay|schema|trigger|-[hV]|--(help|version))$/;

/** Saving and loading take time, so a server answers its first calls before them. */
const SAVE_CACHES_AFTER_MS = 5000;

const isShort = TOO_SHORT_TO_CACHE.test(process.argv[2] ?? "");
const bundles = new BundleRunner(isShort ? undefined : SAVE_CACHES_AFTER_MS);
for (const name of LATER) bundles.runLater(join(__dirname, name));
bundles.run(join(__dirname, "main.cjs"));
