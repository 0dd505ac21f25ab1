import { existsSync } from "node:fs";

/** Paths from this file, and from a bundle that contains it, to the directory of the package. */
const PLACES = ["../", "../../../"];

let root: URL | undefined;

/** The address of a file or directory of the package, such as `fixtures/default.json`. The file may be missing. */
export function inPackage(path: string): URL {
  root ??=
    PLACES.map((place) => new URL(place, import.meta.url)).find((one) => existsSync(new URL("fixtures/default.json", one))) ??
    new URL("../", import.meta.url);
  return new URL(path, root);
}
