/** The review by attack: each part holds the entries of one area. */
import "./attack/data-lock.ts";
import "./attack/files.ts";
import "./attack/limits.ts";
import "./attack/readers.ts";
import "./attack/security.ts";
import "./attack/time-and-data.ts";
