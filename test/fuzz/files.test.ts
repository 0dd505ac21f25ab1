/** Runs the tests of the review that send hostile files over the socket, which take minutes. */
import "../review/attack/files.ts";
