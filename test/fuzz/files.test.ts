/** Runs the tests of the review that send hostile files over the socket, which take minutes. */
import "../attacks/hostile-files.test.ts";
