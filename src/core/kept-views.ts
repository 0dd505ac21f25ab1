export interface View<Body = unknown> {
  body: Body;
  json: string;
}

/** The oldest views are forgotten, because a view can take more memory than its row. */
const VIEWS_MAX = 256;

/**
 * The latest views of rows, with their JSON. Clients poll a row many times between two changes, and rows are replaced, never changed.
 * So the same row has the same view, as long as everything else that the view shows is the same: the `key`.
 */
export class KeptViews<Row extends object, Body> {
  readonly #kept = new Map<Row, { key: string; view: View<Body> }>();

  of(row: Row, key: string, toBody: () => Body): View<Body> {
    const known = this.#kept.get(row);
    if (known?.key === key) return known.view;
    const body = toBody();
    const view = { body, json: JSON.stringify(body) };
    this.#kept.set(row, { key, view });
    if (this.#kept.size > VIEWS_MAX) this.#kept.delete(this.#kept.keys().next().value as Row);
    return view;
  }
}
