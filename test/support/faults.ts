/** The field errors of a 400 by the flat names of their places, `recipients[0].email`, for tables of cases. */
export function faultsByName(detail: unknown, at = ""): Record<string, unknown> {
  if (Array.isArray(detail) && detail.every((one) => typeof one !== "object"))
    return { [at === "" ? "non_field_errors" : at]: detail };
  if (Array.isArray(detail)) return Object.assign({}, ...detail.map((one, i) => faultsByName(one, `${at}[${i}]`)));
  if (typeof detail !== "object" || detail === null) throw new Error(`no field errors: ${JSON.stringify(detail)}`);
  const named = Object.entries(detail).map(([name, inner]) => {
    if (/^\d+$/.test(name)) return faultsByName(inner, `${at}[${name}]`);
    if (name === "non_field_errors") return faultsByName(inner, at);
    return faultsByName(inner, at === "" ? name : `${at}.${name}`);
  });
  return Object.assign({}, ...named);
}
