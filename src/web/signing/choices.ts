/** The part of the signing form for optional rows and quantities. */
import { choosableItems, type ChoosableItem } from "../../domain/pricing/signer-choices.ts";
import type { Errors } from "../../domain/signing/sessions.ts";
import { amount } from "./blocks.ts";
import { html, type Html, type Part, raw } from "../html.ts";
import type { DocumentRow } from "../../domain/document-model/rows.ts";

/** Empty when the signer has no choices. */
export function choicesHtml(document: DocumentRow, errors: Errors): Part {
  const all = choosableItems(document);
  if (all.length === 0) return null;
  return html`<section class="card choosing" aria-labelledby="choices-title" data-testid="choices"><h2 id="choices-title">Your choice</h2>
<input type="hidden" name="choices" value="1">
<ul class="choices">${all.map((item) => choiceHtml(item, errors[item.id]))}</ul>
<p>The totals above follow when you save.</p></section>`;
}

function choiceHtml(item: ChoosableItem, error: string | undefined): Html {
  const { id, name, price, currency, selected, qty, group } = item;
  const [type, at] = group === undefined ? ["checkbox", `c.${id}`] : ["radio", `g.${group}`];
  const text = html`<span><bdi>${name}</bdi> <span class="optional">${amount(`${price} ${currency}`)}</span></span>`;
  return html`<li id="f-${id}" data-testid="choice-${id}">${
    selected === undefined
      ? text
      : html`<label class="check"><input type="${type}" name="${at}" value="${id}"${selected ? raw(" checked") : null}>${text}</label>`
  }${
    qty === undefined
      ? null
      : html`<label class="qty">Quantity <input name="q.${id}" value="${qty}" aria-label="Quantity of ${name}" inputmode="decimal" autocomplete="off"${error ? raw(` aria-invalid="true"`) : null}></label>`
  }${error ? html`<p class="error">${error}</p>` : null}</li>`;
}
