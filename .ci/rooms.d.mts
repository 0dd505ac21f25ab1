export interface Layout {
  /** From the lowest to the highest. Names in one list share a floor. */
  floors: string[][];
  /** The rooms of a floor, from the lowest to the highest. */
  rooms: Record<string, string[]>;
  /** Patterns of files that import only other leaves from their floor. */
  leaves: string[];
}
export type Imports = Record<string, string[]>;
export function readImports(root: string): Imports;
export function findProblems(imports: Imports, layout: Layout): string[];
