/** Hostile files over the socket: the part of the review that takes minutes. */
import "../review/attack/files.ts";
