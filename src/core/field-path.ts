/** Where a value stands in a request, as one text: `recipients[0].email`, `fields["Client.Name"].value`. */

export type FieldPath = readonly PropertyKey[];

/** What the service's framework calls the whole of what was sent. */
export const WHOLE = "non_field_errors";

/** The name of a place; of the whole request `non_field_errors`. */
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

/** The place that a name means: what `fieldName` made of it. */
export function fieldPath(name: string): (string | number)[] {
  return [...name.matchAll(STEP)].map(([, index, literal, plain]) => {
    if (index !== undefined) return Number(index);
    return literal === undefined ? (plain as string) : (JSON.parse(literal) as string);
  });
}
