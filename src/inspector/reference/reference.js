/** Search and trial calls of the reference. */
(() => {
  /** @param {string} id */
  const need = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  document.documentElement.classList.add("js");
  const operations = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(".op,.admin-op")]);
  const groups = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".group")]);
  const q = /** @type {HTMLInputElement} */ (need("q"));
  const key = /** @type {HTMLInputElement} */ (need("key"));
  const all = need("all");
  const found = need("found");
  /** @param {HTMLDetailsElement} one */
  const focusOn = (one) => one.querySelector("summary")?.focus({ preventScroll: true });

  function search() {
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const one of operations) {
      one.hidden = !words.every((word) => one.dataset.words?.includes(word));
      if (!one.hidden) count++;
    }
    for (const one of groups) one.hidden = !one.querySelector(".op:not([hidden]),.admin-op:not([hidden])");
    found.textContent = words.length > 0 ? `${count} operation${count === 1 ? "" : "s"}` : "";
  }

  function show() {
    const one = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!(one instanceof HTMLDetailsElement && operations.includes(one))) return;
    one.hidden = false;
    one.open = true;
    if (one.parentElement) one.parentElement.hidden = false;
    one.scrollIntoView();
    focusOn(one);
  }

  q.addEventListener("input", search);
  q.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = operations.find((one) => !one.hidden);
    if (!first) return;
    first.open = true;
    first.querySelector("summary")?.focus();
  });
  const isAllOpen = () => all.getAttribute("aria-pressed") === "true";
  all.addEventListener("click", () => {
    const isOpen = !isAllOpen();
    for (const one of operations) one.open = isOpen;
    all.setAttribute("aria-pressed", String(isOpen));
    all.textContent = isOpen ? "Close all" : "Open all";
  });

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

  // Pages of the service's origin cannot change anything with the admin API, so these changes can only be copied.
  /** @param {HTMLDetailsElement} one */
  function tryPart(one) {
    const { method = "GET", path = "" } = one.dataset;
    const isAdmin = one.matches(".admin-op");
    const example = one.querySelector("pre[aria-label='Example of the request']")?.textContent ?? "{}";
    const names = [...(path.split("?")[0] ?? "").matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    const inputs = names.map((name) => make("input", { id: `${one.id}-${name}`, autocomplete: "off", required: true }));
    const body =
      method === "GET" || method === "DELETE"
        ? null
        : make("textarea", { id: `${one.id}-body`, rows: 8, spellcheck: false, value: example });
    const run = make("button", { className: "main" }, "Try it");
    const copy = make("button", { type: "button" }, "Copy as curl");
    const answer = make("pre", { hidden: true, tabIndex: 0, ariaLabel: "Answer" });
    const address = () =>
      names.reduce((text, name, i) => text.replace(`{${name}}`, encodeURIComponent(inputs[i]?.value ?? "")), path);
    const form = make(
      "form",
      { className: "try" },
      ...inputs.flatMap((input, i) => [make("label", { htmlFor: input.id }, names[i] ?? ""), input]),
      ...(body ? [make("label", { htmlFor: body.id }, "Body"), body] : []),
      make("div", { className: "acts" }, ...(isAdmin && method !== "GET" ? [] : [run]), copy),
      answer,
    );
    copy.addEventListener("click", async () => {
      const lines = [
        `curl -X ${method} ${quoted(location.origin + address())}`,
        ...(isAdmin ? [] : [`-H ${quoted(`Authorization: API-Key ${key.value}`)}`]),
        ...(body ? [`--json ${quoted(body.value)}`] : []),
      ];
      const text = lines.join(" \\\n  ");
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
        setTimeout(() => {
          copy.textContent = "Copy as curl";
        }, 1500);
      } catch {
        answer.hidden = false;
        answer.textContent = text;
      }
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      run.disabled = true;
      try {
        const headers = {
          ...(isAdmin ? {} : { authorization: `API-Key ${key.value}` }),
          ...(body ? { "content-type": "application/json" } : {}),
        };
        const reply = await fetch(address(), body ? { method, headers, body: body.value } : { method, headers });
        const type = reply.headers.get("content-type") ?? "";
        const text = /json|text/.test(type) ? await reply.text() : `[${type}]`;
        const why = reply.headers.get("x-docdouble-why");
        answer.textContent = `${reply.status}${why ? `  ${why}` : ""}\n${pretty(text)}`;
      } catch (error) {
        answer.textContent = String(error);
      }
      answer.hidden = false;
      run.disabled = false;
    });
    return form;
  }

  for (const one of operations)
    one.addEventListener("toggle", () => {
      if (!one.open) return;
      if (!one.querySelector(".try")) one.querySelector(".inside")?.append(tryPart(one));
      if (!isAllOpen()) history.replaceState(null, "", `#${one.id}`);
    });
  addEventListener("hashchange", show);
  addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "")) {
      event.preventDefault();
      q.focus();
    }
    if (event.key === "Escape" && document.activeElement === q) {
      q.value = "";
      search();
    }
  });
  search();
  // The browser scrolls to the fragment before this.
  addEventListener("load", show);
})();
