import { drift } from "./command.ts";

const { stdout, stderr, exitCode } = drift(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
