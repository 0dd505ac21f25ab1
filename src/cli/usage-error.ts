import { linesWithoutControls } from "../engine/core/text.ts";
import { SettingsError } from "../library/errors.ts";
import { ScenarioError } from "../engine/scenario/error.ts";

export const EXIT_USAGE = 2;

/**
 * The library names options, and the command line names flags: `the option adminToken` becomes `--admin-token`. @throws every other error
 */
export function usageMessage(error: unknown): string {
  if (!(error instanceof SettingsError) && !(error instanceof ScenarioError)) throw error;
  return linesWithoutControls(error.message).replace(
    /\b[Tt]he option ([a-z]\w*?)(_ms)?\b/g,
    (_, name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}

/** Prints the mistake. @throws every other error */
export function usageCode(error: unknown): number {
  process.stderr.write(`${usageMessage(error)}\n`);
  return EXIT_USAGE;
}
