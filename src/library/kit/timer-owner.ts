/** Tells timers of the client from timers of Node, of test runners and of libraries that guard a connection. Those stay real. */

const FRAMES_MAX = 12;
const OWN = /virtual-sleep|fake-time|sleep-threads|timer-owner|sleep-child/;
const GUARDS =
  /[\\/]node_modules[\\/](\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/])?(undici|agent-base|agentkeepalive|ws|pg|pg-pool|mysql2?|ioredis|redis|@redis|mongodb|tedious|kafkajs|amqplib|vitest|@vitest|vite|vite-node|birpc|tinypool|jest|jest-\w[\w-]*|@jest|mocha|playwright|playwright-core|@playwright|npm|pnpm|yarn|tsx)[\\/]/;

/** Whether code of the client itself made the call that runs now. */
export function isOfClient(): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = FRAMES_MAX;
  Error.prepareStackTrace = (_, frames) => frames.map((one) => one.getFileName() ?? "");
  const { stack } = new Error("owner") as unknown as { stack: string[] };
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  const caller = stack.find((file) => file !== "" && !OWN.test(file));
  return caller === undefined || !(caller.startsWith("node:") || GUARDS.test(caller));
}
