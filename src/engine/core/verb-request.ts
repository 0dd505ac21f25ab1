/** How an input of a verb becomes a call of the admin API. It imports nothing, so that short commands start without the library. */

/** `route` is a method and a path such as `/__admin/rules/{id}`. `whole` names the member that is the whole body. */
export interface RequestShape {
  readonly route: string;
  readonly whole?: string | undefined;
}

/** Whether the members of the input that are not in the path stand in the query. */
export function isInQuery({ route }: Pick<RequestShape, "route">): boolean {
  return /^(GET|DELETE) /.test(route);
}

export function namesInPath(route: string): string[] {
  return [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

/** The call that carries an input. Undefined members stay away. Unknown members travel too, so that the server refuses them. */
export function toRequest({ route, whole }: RequestShape, input: Readonly<Record<string, unknown>>) {
  const [method = "", path = ""] = route.split(" ");
  const named = namesInPath(path);
  const rest = Object.entries(input).filter(([name, value]) => value !== undefined && !named.includes(name) && name !== whole);
  const inQuery = isInQuery({ route });
  const marks = new URLSearchParams(inQuery ? rest.map(([name, value]): [string, string] => [name, String(value)]) : []);
  return {
    method,
    path:
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name]))) +
      (marks.size > 0 ? `?${marks}` : ""),
    body: whole !== undefined ? input[whole] : inQuery || rest.length === 0 ? undefined : Object.fromEntries(rest),
  };
}
