/** Sends all hostile files over a socket, which takes minutes. */
import "../attacks/hostile-files.test.ts";
