#!/usr/bin/env node
/** What is run first: asks Node to keep what it compiles, where it can (from 22.1 on), and hands over. */
import module from "node:module";

const { enableCompileCache } = module as { enableCompileCache?: () => unknown };
enableCompileCache?.();
await import("./main.ts");
