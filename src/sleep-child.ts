/** NODE_OPTIONS of `--sleep virtual` loads this file into processes. Their sleeps move docdouble's clock, and take no real time. */
import { installVirtualSleep } from "./library/kit/virtual-sleep.ts";

const [address = "", key = ""] = (process.env.DOCDOUBLE_SLEEP ?? "").split(" ");
if (address !== "") installVirtualSleep(new URL(address), key);
