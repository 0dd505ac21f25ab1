/** Filter and index of the reference, and the form that tries an operation. */
(() => {
  /** @param {string} id */
  const need = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  document.documentElement.classList.add("js");
  const operations = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(".op,.admin-op")]);
  const groups = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".group")]);
  const parts = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(".index details")]);
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-of]")]);
  const q = /** @type {HTMLInputElement} */ (need("q"));
  const key = /** @type {HTMLInputElement} */ (need("key"));
  const all = need("all");
  const found = need("found");

  /**
   * @template {keyof HTMLElementTagNameMap} Name
   * @param {Name} name
   * @param {Partial<HTMLElementTagNameMap[Name]>} attributes
   * @param {(Node | string)[]} children
   * @returns {HTMLElementTagNameMap[Name]}
   */
  function make(name, attributes, ...children) {
    const one = Object.assign(document.createElement(name), attributes);
    one.append(...children);
    return one;
  }

  /* The index and the filter. */

  /** @param {HTMLElement} link */
  const target = (link) => document.getElementById(link.dataset.of ?? "");

  function filter() {
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const one of operations) {
      one.hidden = !words.every((word) => one.dataset.words?.includes(word));
      if (!one.hidden) count++;
    }
    for (const one of groups) one.hidden = !one.querySelector(".op:not([hidden]),.admin-op:not([hidden])");
    for (const link of links) {
      const item = link.parentElement;
      if (item) item.hidden = target(link)?.hidden ?? false;
    }
    for (const part of parts) {
      const left = part.querySelectorAll("li:not([hidden])").length;
      part.hidden = left === 0;
      const number = part.querySelector(".count");
      if (number) number.textContent = String(left);
      part.open = words.length > 0 || part.querySelector("[aria-current]") !== null;
    }
    document.documentElement.classList.toggle("filtering", words.length > 0);
    found.textContent = words.length > 0 ? `${count} operation${count === 1 ? "" : "s"}` : "";
  }

  /** @param {string} id */
  function mark(id) {
    for (const link of links) {
      const isHere = link.dataset.of === id;
      if (isHere) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      const part = link.closest("details");
      if (isHere && part) part.open = true;
    }
  }

  function show() {
    const one = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!(one instanceof HTMLDetailsElement && operations.includes(one))) return;
    one.hidden = false;
    one.open = true;
    if (one.parentElement) one.parentElement.hidden = false;
    one.scrollIntoView();
    one.querySelector("summary")?.focus({ preventScroll: true });
    mark(one.id);
  }

  q.addEventListener("input", filter);
  q.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = operations.find((one) => !one.hidden);
    if (!first) return;
    first.open = true;
    first.scrollIntoView();
    first.querySelector("summary")?.focus({ preventScroll: true });
  });
  const isAllOpen = () => all.getAttribute("aria-pressed") === "true";
  all.addEventListener("click", () => {
    const isOpen = !isAllOpen();
    for (const one of operations) one.open = isOpen;
    all.setAttribute("aria-pressed", String(isOpen));
    all.textContent = isOpen ? "Close all" : "Open all";
  });

  /* The form of an operation. */

  /** @param {string} text */
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

  /** @param {string} text */
  function pretty(text) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }

  /** The least PDF: one empty page. @returns {string} */
  function emptyPdf() {
    const objects = [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>",
    ];
    let text = "%PDF-1.4\n";
    const places = objects.map((one, i) => {
      const at = text.length;
      text += `${i + 1} 0 obj${one}endobj\n`;
      return `${String(at).padStart(10, "0")} 00000 n \n`;
    });
    const start = text.length;
    return `${text}xref\n0 4\n0000000000 65535 f \n${places.join("")}trailer<</Size 4/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`;
  }

  /** @param {string} operation */
  const standIn = (operation) =>
    operation.includes("Markdown")
      ? new File(["# Offer\n\nOne page.\n"], "offer.md", { type: "text/markdown" })
      : new File([emptyPdf()], "empty.pdf", { type: "application/pdf" });

  /** @typedef {{ name: string, required: boolean, type?: string, values?: unknown[] }} Query */
  /** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
  /** @typedef {{ params?: Record<string, string>, query?: Record<string, string>, body?: unknown, why?: string }} Trial */

  /** @param {string} id @param {string} label @param {Control} control @param {string} [mark] */
  function labelled(id, label, control, mark = "") {
    control.id = id;
    const name = make("label", { htmlFor: id }, label);
    if (mark) name.append(" ", make("span", { className: "soft" }, mark));
    return make("div", { className: "field" }, name, control);
  }

  /** @param {Query} one @param {string} id */
  function queryField({ name, required, type, values }, id) {
    const choices = values ?? (type === "boolean" ? ["true", "false"] : undefined);
    const control = choices
      ? make("select", {}, make("option", { value: "" }, "–"), ...choices.map((one) => make("option", {}, String(one))))
      : make("input", { autocomplete: "off", placeholder: type ?? "" });
    control.name = name;
    return labelled(id, name, control, required ? "required" : "");
  }

  // A page may not change anything with the admin API, so these changes can only be copied.
  /** @param {HTMLDetailsElement} one */
  function tryPart(one) {
    const { method = "GET", path = "", media = "" } = one.dataset;
    const side = /** @type {HTMLElement} */ (one.querySelector(".side"));
    const isAdmin = one.matches(".admin-op");
    const isRunnable = !isAdmin || method === "GET";
    const isForm = media.startsWith("multipart/");
    const isUrlEncoded = media.endsWith("x-www-form-urlencoded");
    const example = side.querySelector("pre[aria-label='Example of the request']")?.textContent ?? "{}";
    const [place = "", marker] = path.split("?");
    const names = [...place.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    const inputs = names.map((name) => make("input", { name, autocomplete: "off", spellcheck: false, required: isRunnable }));
    /** @type {Query[]} */
    const asked = JSON.parse(/** @type {HTMLElement | null} */ (side.querySelector("[data-query]"))?.dataset.query ?? "[]");
    const queries = asked.map((each) => queryField(each, `${one.id}-q-${each.name}`));
    const controls = /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ (
      queries.flatMap((each) => [...each.querySelectorAll("input,select")])
    );
    const named = /** @type {HTMLElement | null} */ (side.querySelector("[data-files]"))?.dataset.files ?? "";
    const files = named.split(" ").filter(Boolean);
    const uploads = files.map((name) => make("input", { type: "file", name }));
    const body = media === "" ? null : make("textarea", { spellcheck: false, value: isForm ? "{}" : example });

    const request = make("pre", { tabIndex: 0, ariaLabel: "Request as curl" });
    request.setAttribute("role", "region");
    const run = make("button", { className: "main" }, "Try it");
    const copy = make("button", { type: "button" }, "Copy as curl");
    const facts = make("p", { className: "verdict" });
    facts.setAttribute("role", "status");
    const reason = make("p", { className: "reason", hidden: true });
    const answer = make("pre", { tabIndex: 0, ariaLabel: "Answer", className: "answer-body" });
    answer.setAttribute("role", "region");
    const result = make("div", { className: "result", hidden: true }, facts, reason, answer);
    const hint = make("p", { className: "soft hint", hidden: true });

    const address = () => {
      const filled = names.reduce((text, name, i) => {
        const value = inputs[i]?.value ?? "";
        return text.replace(`{${name}}`, value ? encodeURIComponent(value) : `{${name}}`);
      }, place);
      const query = new URLSearchParams(controls.filter((each) => each.value !== "").map((each) => [each.name, each.value]));
      const text = [marker, query.toString()].filter(Boolean).join("&");
      return text ? `${filled}?${text}` : filled;
    };
    /** @returns {Record<string, unknown>} */
    const members = () => {
      try {
        return JSON.parse(body?.value ?? "{}");
      } catch {
        return {};
      }
    };
    /** @param {unknown} value */
    const part = (value) => (typeof value === "string" ? value : JSON.stringify(value));
    const curl = () => {
      const lines = [`curl${method === "GET" ? "" : ` -X ${method}`} \\\n  ${quoted(location.origin + address())}`];
      if (!isAdmin && one.id !== "accessToken") lines.push(`-H ${quoted(`Authorization: API-Key ${key.value || "YOUR-KEY"}`)}`);
      if (isForm) {
        for (const each of uploads) lines.push(`-F ${each.name}=@${each.files?.[0]?.name ?? standIn(one.id).name}`);
        for (const [name, value] of Object.entries(members())) lines.push(`-F ${quoted(`${name}=${part(value)}`)}`);
      } else if (isUrlEncoded)
        for (const [name, value] of Object.entries(members())) lines.push(`--data-urlencode ${quoted(`${name}=${part(value)}`)}`);
      else if (body && media.includes("yaml"))
        lines.push("-H 'Content-Type: application/yaml'", `--data-binary ${quoted(body.value)}`);
      else if (body) lines.push(`--json ${quoted(body.value)}`);
      return lines.join(" \\\n  ");
    };
    const grow = () => {
      if (body) body.rows = Math.min(Math.max(body.value.split("\n").length, 3), 16);
      request.textContent = curl();
    };

    /** @returns {BodyInit | undefined} */
    const sent = () => {
      if (!body) return undefined;
      if (isUrlEncoded) return new URLSearchParams(Object.entries(members()).map(([name, value]) => [name, part(value)]));
      if (!isForm) return body.value;
      const form = new FormData();
      for (const each of uploads) {
        const file = each.files?.[0] ?? standIn(one.id);
        form.append(each.name, file, file.name);
      }
      for (const [name, value] of Object.entries(members())) form.append(name, part(value));
      return form;
    };

    const optional = queries.filter((_, i) => !asked[i]?.required);
    const form = make(
      "form",
      { className: "try" },
      make("div", { className: "try-head" }, make("strong", {}, isRunnable ? "Try it" : "Call it")),
      hint,
      ...inputs.map((input, i) => labelled(`${one.id}-${names[i]}`, names[i] ?? "", input)),
      ...queries.filter((_, i) => asked[i]?.required),
      ...(optional.length > 0
        ? [make("details", { className: "more" }, make("summary", {}, `Query, ${optional.length} optional`), ...optional)]
        : []),
      ...uploads.map((each) => labelled(`${one.id}-${each.name}`, each.name, each, "without one: a small stand-in")),
      ...(body ? [labelled(`${one.id}-body`, isForm ? "Other parts" : "Body", body, isForm ? "as JSON" : "")] : []),
      make("div", { className: "acts" }, ...(isRunnable ? [run] : []), copy),
      result,
      request,
    );

    /** Puts values of the world into the form. What a visitor typed stays. */
    const fill = async () => {
      if (isAdmin) return;
      const headers = { authorization: `API-Key ${key.value}` };
      const reply = await fetch(`/reference/trials/${one.id}`, { headers }).catch(() => undefined);
      if (!reply) return;
      /** @type {Trial} */
      const { params = {}, query = {}, body: better, why } = await reply.json();
      for (const each of [...inputs, ...controls]) {
        const value = params[each.name] ?? query[each.name];
        if (value !== undefined && each.dataset.typed === undefined) each.value = value;
      }
      const fits = body && body.dataset.typed === undefined && better !== undefined && better !== null;
      if (fits) body.value = JSON.stringify(better, null, 2);
      const empty = inputs.filter((each) => each.value === "").map((each) => each.name);
      hint.hidden = !why && empty.length === 0;
      hint.textContent = why
        ? `This key opens no world: ${why}.`
        : `This world has nothing that fits ${empty.join(" and ")} yet. Create it first, then open this operation again.`;
      grow();
    };
    form.addEventListener("input", (event) => {
      if (event.target instanceof HTMLElement) event.target.dataset.typed = "";
      grow();
    });
    key.addEventListener("input", grow);
    key.addEventListener("change", () => one.open && fill());
    one.addEventListener("toggle", () => one.open && !isAllOpen() && fill());

    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(curl());
        copy.textContent = "Copied";
        setTimeout(() => {
          copy.textContent = "Copy as curl";
        }, 1500);
      } catch {
        getSelection()?.selectAllChildren(request);
      }
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!isRunnable) return;
      run.disabled = true;
      /** @type {Record<string, string>} */
      const headers = isAdmin || one.id === "accessToken" ? {} : { authorization: `API-Key ${key.value}` };
      if (body && !isForm && !isUrlEncoded) headers["content-type"] = media;
      const content = sent();
      const begin = performance.now();
      try {
        const reply = await fetch(address(), content === undefined ? { method, headers } : { method, headers, body: content });
        const type = reply.headers.get("content-type") ?? "";
        const bytes = await reply.arrayBuffer();
        const took = Math.round(performance.now() - begin);
        const text = /json|text|^$/.test(type) ? new TextDecoder().decode(bytes) : `${type}, ${bytes.byteLength} bytes`;
        const why = reply.headers.get("x-docdouble-why") ?? "";
        const kind = reply.status < 300 ? "good" : reply.status < 500 ? "busy" : "bad";
        const badge = make("span", { className: `badge ${kind}` }, String(reply.status));
        const call = reply.headers.get("x-request-id");
        const href = `/__admin/?view=journal&id=${call}${key.value.startsWith("test-") ? `&tenant=${encodeURIComponent(key.value)}` : ""}`;
        const link = call && !isAdmin ? [make("a", { href }, "this call in the journal")] : [];
        facts.replaceChildren(make("span", {}, badge, ` in ${took} ms`), " ", ...link);
        reason.hidden = why === "";
        reason.textContent = why;
        answer.textContent = text === "" ? "The answer has no body." : pretty(text);
      } catch (error) {
        facts.replaceChildren(make("span", { className: "badge bad" }, "no answer"));
        reason.hidden = true;
        answer.textContent = String(error);
      }
      result.hidden = false;
      result.scrollIntoView({ block: "nearest" });
      side.querySelector(".answered")?.setAttribute("hidden", "");
      run.disabled = false;
    });
    grow();
    // All forms at once would ask as often as there are operations.
    if (isAllOpen()) form.addEventListener("focusin", fill, { once: true });
    else fill();
    return form;
  }

  for (const one of operations)
    one.addEventListener("toggle", () => {
      if (!one.open) return;
      const side = one.querySelector(".side");
      if (side && !side.querySelector(".try")) {
        side.querySelector("pre[aria-label='Example of the request']")?.parentElement?.setAttribute("hidden", "");
        side.prepend(tryPart(one));
      }
      if (isAllOpen()) return;
      history.replaceState(null, "", `#${one.id}`);
      mark(one.id);
    });
  addEventListener("hashchange", show);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) {
      event.preventDefault();
      q.focus();
    }
    if (event.key === "Escape" && document.activeElement === q) {
      q.value = "";
      filter();
    }
  });
  q.value = new URLSearchParams(location.search).get("q") ?? q.value;
  filter();
  // The browser scrolls to the fragment before this.
  addEventListener("load", show);
})();
