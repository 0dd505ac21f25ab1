import { raw } from "../../engine/http/html.ts";
import { STYLE } from "../views/assets.ts";

export const REFERENCE_STYLE = raw(`${STYLE}
.frame{grid-template-columns:260px minmax(0,1fr)}.nav ul{max-height:calc(100vh - 96px);overflow-y:auto}
.group{margin:0 0 24px;scroll-margin-top:72px}.group h2,.op{scroll-margin-top:72px}
.op,.admin-op{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:0 0 6px}.op>summary,.admin-op>summary{display:flex;flex-wrap:wrap;gap:2px 12px;align-items:center;padding:8px 14px;min-height:44px;cursor:pointer;list-style:none;border-radius:10px}.op>summary:hover,.admin-op>summary:hover{background:var(--tint)}.op>summary::-webkit-details-marker{display:none}
.method{flex:none;width:62px;text-align:center;font:700 12px/22px ui-monospace,Menlo,monospace;border-radius:6px;color:var(--calm);background:var(--calm-bg)}.method.post{color:var(--good);background:var(--good-bg)}.method.put,.method.patch{color:var(--busy);background:var(--busy-bg)}.method.delete{color:var(--bad);background:var(--bad-bg)}
code.path{display:inline;margin:0;min-width:0}.id{margin-left:auto;color:var(--soft);font-size:13px;overflow-wrap:anywhere}
.inside{padding:4px 16px 16px;border-top:1px solid var(--line)}.inside .note{display:inline-block;padding:2px 10px;font-size:13px}
.fields{list-style:none;margin:0 0 8px;padding:0 0 0 14px;border-left:2px solid var(--line)}.fields li{padding:3px 0;overflow-wrap:anywhere}.fields summary{cursor:pointer;border-radius:6px}.fields summary:hover{background:var(--tint)}.fields .fields{margin-top:4px}
.name{font-weight:600}.type{color:var(--soft);font-size:13px}.about{display:block;font-size:14px}.answer{margin:0 0 6px}.answer summary{cursor:pointer}.answer>.fields{margin-top:4px}
.op[hidden],.admin-op[hidden],.group[hidden]{display:none}html:not(.js) .search,html:not(.js) .keyed{display:none}.keyed input{max-width:100%}.try{display:grid;gap:6px;margin:8px 0;padding:14px;border:1px solid var(--line);border-radius:10px;background:var(--bg)}.try label{font-weight:600;font-size:13px}.try textarea{font:13px/1.5 ui-monospace,Menlo,monospace;width:100%}.try .acts{margin-top:4px}
@media (max-width:860px){.frame{grid-template-columns:minmax(0,1fr)}.nav ul{max-height:none}.id{flex-basis:100%;margin-left:0}}`);

export const REFERENCE_SCRIPT = raw(`
(() => {
  const $ = (id) => document.getElementById(id);
  document.documentElement.classList.add("js");
  const operations = [...document.querySelectorAll(".op,.admin-op")], groups = [...document.querySelectorAll(".group")];
  const q = $("q"), all = $("all"), found = $("found");

  function search() {
    const words = q.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const one of operations) {
      one.hidden = !words.every((word) => one.dataset.words.includes(word));
      if (!one.hidden) count++;
    }
    for (const one of groups) one.hidden = !one.querySelector(".op:not([hidden]),.admin-op:not([hidden])");
    found.textContent = words.length ? count + (count === 1 ? " operation" : " operations") : "";
  }
  function show() {
    const one = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!one || !one.matches(".op,.admin-op")) return;
    one.hidden = false; one.open = true; one.parentNode.hidden = false;
    one.scrollIntoView(); one.querySelector("summary").focus({ preventScroll: true });
  }
  q.addEventListener("input", search);
  q.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = operations.find((one) => !one.hidden);
    if (first) { first.open = true; first.querySelector("summary").focus(); }
  });
  all.addEventListener("click", () => {
    const isOpen = all.getAttribute("aria-pressed") !== "true";
    for (const one of operations) one.open = isOpen;
    all.setAttribute("aria-pressed", String(isOpen));
    all.textContent = isOpen ? "Close all" : "Open all";
  });
  const make = (name, attributes, ...children) => { const one = Object.assign(document.createElement(name), attributes); one.append(...children); return one; };
  const quoted = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";
  // Pages of the service's origin cannot change anything with the admin API, so these changes can only be copied.
  function tryPart(one) {
    const { method, path } = one.dataset, isAdmin = one.matches(".admin-op");
    const example = one.querySelector("pre[aria-label='Example of the request']");
    const names = [...path.split("?")[0].matchAll(/\\{(\\w+)\\}/g)].map((match) => match[1]);
    const inputs = names.map((name) => make("input", { id: one.id + "-" + name, autocomplete: "off", required: true }));
    const body = method === "GET" || method === "DELETE" ? null : make("textarea", { id: one.id + "-body", rows: 8, spellcheck: false, value: example ? example.textContent : "{}" });
    const run = make("button", { className: "main" }, "Try it"), copy = make("button", { type: "button" }, "Copy as curl"), answer = make("pre", { hidden: true, tabIndex: 0, ariaLabel: "Answer" });
    const address = () => names.reduce((text, name, i) => text.replace("{" + name + "}", encodeURIComponent(inputs[i].value)), path);
    const form = make("form", { className: "try" }, ...names.flatMap((name, i) => [make("label", { htmlFor: inputs[i].id }, name), inputs[i]]), ...(body ? [make("label", { htmlFor: body.id }, "Body"), body] : []), make("div", { className: "acts" }, ...(isAdmin && method !== "GET" ? [] : [run]), copy), answer);
    copy.addEventListener("click", async () => {
      const text = "curl -X " + method + " " + quoted(location.origin + address()) + (isAdmin ? "" : " \\\\\\n  -H " + quoted("Authorization: API-Key " + $("key").value)) + (body ? " \\\\\\n  --json " + quoted(body.value) : "");
      try { await navigator.clipboard.writeText(text); copy.textContent = "Copied"; setTimeout(() => { copy.textContent = "Copy as curl"; }, 1500); } catch { answer.hidden = false; answer.textContent = text; }
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      run.disabled = true;
      try {
        const reply = await fetch(address(), { method, headers: { ...(isAdmin ? {} : { authorization: "API-Key " + $("key").value }), ...(body ? { "content-type": "application/json" } : {}) }, ...(body ? { body: body.value } : {}) });
        const type = reply.headers.get("content-type") || "", text = /json|text/.test(type) ? await reply.text() : "[" + type + "]";
        let shown = text; try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch {}
        const why = reply.headers.get("x-docdouble-why");
        answer.textContent = reply.status + (why ? "  " + why : "") + "\\n" + shown;
      } catch (error) { answer.textContent = String(error); }
      answer.hidden = false; run.disabled = false;
    });
    return form;
  }
  for (const one of operations) one.addEventListener("toggle", () => { if (one.open && !one.querySelector(".try")) one.querySelector(".inside").append(tryPart(one)); }, { once: false });
  for (const one of operations) one.addEventListener("toggle", () => { if (one.open && all.getAttribute("aria-pressed") !== "true") history.replaceState(null, "", "#" + one.id); });
  addEventListener("hashchange", show);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement.tagName !== "INPUT") { event.preventDefault(); q.focus(); }
    if (event.key === "Escape" && document.activeElement === q) { q.value = ""; search(); }
  });
  search();
  // The browser scrolls to the fragment before this.
  addEventListener("load", show);
})();`);
