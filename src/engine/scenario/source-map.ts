import { ScenarioError } from "./error.ts";
import { FixtureError } from "./fixture-error.ts";
import { locate, type Path } from "./parse.ts";

interface Place {
  text: string;
  file: string;
  path: Path;
  isShared: boolean;
}

const places = new WeakMap<object, Place>();

/** Remembers the path of each row. `withPlace` reads the file again only for a mistake. */
export function recordPlaces(fixtures: object, text: string, file: string, above: Path = [], isShared = false): void {
  for (const [name, rows] of Object.entries(fixtures))
    if (Array.isArray(rows))
      for (const [i, row] of rows.entries())
        if (typeof row === "object" && row !== null) places.set(row, { text, file, path: [...above, name, i], isShared });
}

/** Turns an error about a row of a file into a ScenarioError with its position. Other errors stay. */
export function withPlace(error: unknown): unknown {
  if (!(error instanceof FixtureError)) return error;
  const placed = [error, ...error.further].flatMap(({ row, message }) => {
    const place = typeof row === "object" && row !== null ? places.get(row) : undefined;
    return place ? [locate(place.text, place.file, place.path, message, place.isShared)] : [];
  });
  return placed.length === 0 ? error : new ScenarioError(placed);
}
