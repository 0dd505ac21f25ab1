/** The path of a value in a request, and its text form: `items[0].name`, `fields["Client.Name"].value`. */

export type FieldPath = readonly PropertyKey[];

export const WHOLE = "non_field_errors";

export function fieldName(path: FieldPath): string {
  if (path.length === 0) return WHOLE;
  return path
    .map((step, i) => {
      if (typeof step === "number") return `[${step}]`;
      const name = String(step);
      if (name === "" || /[.[\]"]/.test(name)) return `[${JSON.stringify(name)}]`;
      return i === 0 ? name : `.${name}`;
    })
    .join("");
}

const STEP = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g;

export function fieldPath(name: string): (string | number)[] {
  return [...name.matchAll(STEP)].map(([, index, literal, plain]) => {
    if (index !== undefined) return Number(index);
    return literal === undefined ? (plain as string) : (JSON.parse(literal) as string);
  });
}
