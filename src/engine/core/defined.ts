/** Leaves out undefined members, so that a spread does not overwrite with them. */
export function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
