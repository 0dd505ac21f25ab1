import { SettingsError } from "../library/errors.ts";

interface RealFlags {
  real: string | undefined;
  key: string | undefined;
}

/** The characters of a header. A line end of a file often comes along. */
const KEY = /^[\x21-\x7e]+$/;

/** @param keyFlag such as `--key` @throws SettingsError */
export function requireReal(task: string, { real, key }: RealFlags, keyFlag: string): { url: URL; key: string } {
  const refuse = (problem: string) => new SettingsError(`Cannot ${task}: ${problem}`);
  if (real === undefined) throw refuse("the real service is missing. Name its address with --real URL.");
  const url = URL.canParse(real) ? new URL(real) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw refuse(`--real ${real} is not an address. Use one such as https://api.pandadoc.com.`);
  if (url.username !== "" || url.password !== "")
    throw refuse("--real holds a name or a password, which docdouble does not send. Leave them out.");
  if (key === undefined || key === "")
    throw refuse(`the key of the real service is missing. Give ${keyFlag} KEY, or set DOCDOUBLE_REAL_KEY.`);
  if (!KEY.test(key)) throw refuse("the key has a space, a line end or another sign that no key has. Copy the key alone.");
  return { url, key };
}
