/** The environment variables that docdouble itself reads. Compose files and CI jobs write `NAME=` for a value that is missing. */
import type { Command } from "commander";

const YES = ["1", "true", "yes", "on"] as const;
const NO = ["0", "false", "no", "off"] as const;

/** The value of a variable. One that is empty or blank counts as unset. */
export function ownVariable(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const text = env[name];
  return text === undefined || text.trim() === "" ? undefined : text;
}

/**
 * Removes the variables that set no flag of `command`. Commander would take an empty one as a value, and every value as true where a flag
 * takes none.
 *
 * @returns what is wrong with a variable, or undefined
 */
export function readVariables(command: Command, env: NodeJS.ProcessEnv = process.env): string | undefined {
  for (const { envVar, required, optional } of command.options) {
    if (envVar === undefined) continue;
    const text = ownVariable(envVar, env)?.trim().toLowerCase();
    const isSwitch = !required && !optional;
    if (text === undefined || (isSwitch && NO.some((word) => word === text))) delete env[envVar];
    else if (isSwitch && !YES.some((word) => word === text))
      return `${envVar} is true or false, not ${JSON.stringify(env[envVar])}`;
  }
  return undefined;
}
