export interface Layout {
  /** Folders below src from the lowest to the highest, with what they hold. `.` holds the entry points. */
  rooms: (readonly [folder: string, holds: string])[];
  /** The only files of a building that files outside it may import. */
  gates: Record<string, string[]>;
  /** How many lines a file may have. Only a generated file is an exception. */
  lines: { most: number; except: string[] };
  /** The rooms that may import a package. Every room may import the packages that are not listed. */
  packages: Record<string, string[]>;
}
export type Imports = Record<string, string[]>;
export function readImports(root: string): Imports;
export function countLines(root: string): Record<string, number>;
export function findLongFiles(counts: Record<string, number>, layout: Pick<Layout, "lines">): string[];
export function findProblems(imports: Imports, layout: Layout): string[];
