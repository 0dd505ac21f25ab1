import { FixtureError } from "../../engine/scenario/fixture-error.ts";
import { BUILT_IN_KEYS, BUILT_IN_NAMES, columnsOf, nameOfColumn } from "../nouns/pricing/table-columns.ts";
import type { DeclaredColumn } from "../nouns/pricing/row.ts";
import type { TemplateFixture } from "./inputs.ts";

type TableFixture = NonNullable<TemplateFixture["pricing_tables"]>[number];

/** The columns that a pricing table of a file describes. `merge_names` is their short form, by the names of rows without data merge. */
export function declaredColumns({ name, columns = [], merge_names = {} }: TableFixture): DeclaredColumn[] {
  const refuse = (problem: string) => new FixtureError(`pricing table ${name}: ${problem}`);
  const refuseOtherSpelling = (column: string, known: readonly string[]) => {
    const near = otherSpelling(column, known);
    if (near !== undefined) throw refuse(`unknown column ${column}; did you mean ${near}?`);
  };
  for (const column of columns) refuseOtherSpelling(column.name, BUILT_IN_NAMES);
  for (const key of Object.keys(merge_names)) refuseOtherSpelling(key, [...BUILT_IN_KEYS, ...columns.map((one) => one.name)]);
  const declared = new Map<string, DeclaredColumn>();
  for (const column of columns) {
    if (declared.has(column.name)) throw refuse(`two columns have the name ${column.name}`);
    declared.set(column.name, column);
  }
  for (const [key, merge_name] of Object.entries(merge_names)) {
    const column = nameOfColumn(key);
    const own = declared.get(column);
    if (own?.merge_name !== undefined && own.merge_name !== merge_name)
      throw refuse(`the column ${column} has the merge names ${own.merge_name} and ${merge_name}`);
    declared.set(column, { ...own, name: column, merge_name });
  }
  const all = [...declared.values()];
  const names = columnsOf({ columns: all }).map((one) => one.merge_name);
  const double = names.find((one, i) => names.indexOf(one) !== i);
  if (double !== undefined) throw refuse(`two columns have the merge name ${double}`);
  return all;
}

/** The known name that `column` misspells. A name of its own is a custom column. */
function otherSpelling(column: string, known: readonly string[]): string | undefined {
  return known.includes(column) ? undefined : known.find((one) => plain(one) === plain(column));
}

/** Spellings that differ only in case, blanks or underscores are equal. */
function plain(column: string): string {
  return column.toLowerCase().replace(/[^a-z0-9]/g, "");
}
