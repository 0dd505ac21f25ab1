/** Mistakes of users on the command line. The library speaks of options; the command speaks of flags. */
import { SettingsError } from "../errors.ts";
import { ScenarioError } from "../scenario/error.ts";

export const EXIT_USAGE = 2;

/** The message of a mistake, with options as flags: `the option adminToken` becomes `--admin-token`. @throws every other error */
export function usageMessage(error: unknown): string {
  if (!(error instanceof SettingsError) && !(error instanceof ScenarioError)) throw error;
  return error.message.replace(
    /\b[Tt]he option ([a-z]\w*?)(_ms)?\b/g,
    (_, name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}
