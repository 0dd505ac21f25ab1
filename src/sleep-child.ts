/** NODE_OPTIONS of `--sleep virtual` loads this file into processes. Their sleeps move docdouble's clock, and take no real time. */
import { Ids } from "./engine/core/ids.ts";
import { installVirtualSleep } from "./library/kit/virtual-sleep.ts";

const { DOCDOUBLE_SLEEP = "", DOCDOUBLE_RANDOM } = process.env;
const [address = "", key = ""] = DOCDOUBLE_SLEEP.split(" ");
if (address !== "") installVirtualSleep(new URL(address), key);
if (DOCDOUBLE_RANDOM !== undefined) {
  // An exploration with the same seed then sees the same pauses.
  const chance = new Ids([DOCDOUBLE_RANDOM, ...process.argv.slice(1)].join(" "));
  Math.random = () => chance.between(0, 2 ** 31 - 1) / 2 ** 31;
}
