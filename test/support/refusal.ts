import { expect } from "vitest";

/** The message of a refusal. A promise rejects; other methods throw. */
export async function refusal(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    // A crash inside docdouble is not an answer to a caller's mistake.
    expect((error as Error).stack).not.toMatch(/Cannot (read|convert|destructure)/);
    return (error as Error).message;
  }
  return "nothing was refused";
}
