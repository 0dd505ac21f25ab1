export interface View<Body = unknown> {
  body: Body;
  json: string;
}

/** A view can take more memory than its row. So only this many views are kept, and old views go first. */
const VIEWS_MAX = 256;

/**
 * The latest views of rows, with their JSON. Clients poll a row many times between two changes, and each change replaces the row. A kept
 * view is valid while its row and its `key` stay the same. The `key` covers all other data in the view.
 */
export class KeptViews<Row extends object, Body, Other = void> {
  readonly #kept = new Map<Row, { key: string; view: View<Body> }>();
  readonly #toBody: (row: Row, other: Other) => Body;

  constructor(toBody: (row: Row, other: Other) => Body) {
    this.#toBody = toBody;
  }

  of(row: Row, other: Other, key = ""): View<Body> {
    const known = this.#kept.get(row);
    if (known?.key === key) return known.view;
    const body = this.#toBody(row, other);
    const view = { body, json: JSON.stringify(body) };
    // A renewed view counts as new.
    this.#kept.delete(row);
    this.#kept.set(row, { key, view });
    if (this.#kept.size > VIEWS_MAX) this.#kept.delete(this.#kept.keys().next().value as Row);
    return view;
  }
}
