/** Keeps a page of the inspector fresh, and sends what its buttons and forms ask for. */
(() => {
  /** @typedef {{ tenant: string | null, token: string | null, pageToken: string, tokenHeader: string }} State */
  /** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */

  /** @param {string} id */
  const find = (id) => document.getElementById(id);
  /** @param {string} id */
  const need = (id) => /** @type {HTMLElement} */ (find(id));
  /** @param {Element | null} root @param {string} selector */
  const all = (root, selector) => /** @type {HTMLElement[]} */ ([...(root ?? document).querySelectorAll(selector)]);
  /** @param {Event} event @param {string} selector @returns {HTMLElement | null} */
  const near = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

  /** @type {State} */
  const state = JSON.parse(need("state").textContent ?? "{}");
  /** @type {Record<string, string>} */
  const headers = {
    [state.tokenHeader]: state.pageToken,
    ...(state.tenant ? { authorization: `API-Key ${state.tenant}` } : {}),
    ...(state.token ? { "x-docdouble-admin-token": state.token } : {}),
  };
  /** @type {string | null} */
  let last = null;
  let isBusy = false;
  /** @type {"" | "wanted" | "forced"} */
  let wanted = "";
  let isStreaming = false;
  document.documentElement.classList.add("js");

  for (const one of all(null, "[data-scroll]")) {
    const now = one.querySelector("[aria-current],.now-line")?.getBoundingClientRect();
    if (now) one.scrollLeft += now.left + now.width / 2 - one.getBoundingClientRect().left - one.clientWidth / 2;
  }

  /** @param {Element | null | undefined} one */
  function keyOf(one) {
    if (!(one instanceof HTMLElement || one instanceof SVGElement)) return "";
    if (one.id) return one.id;
    if (one.tagName === "SUMMARY") return `${one.parentElement?.id}/`;
    const { call, body } = one.dataset;
    return one.getAttribute("href") ?? (call ? `${call}${body}` : "");
  }

  function isInUse() {
    const active = document.activeElement;
    if (active && /^(INPUT|TEXTAREA|SELECT)$/.test(active.tagName) && need("live").contains(active)) return true;
    return getSelection()?.isCollapsed === false;
  }

  /** @param {Control} one */
  const isChanged = (one) =>
    one instanceof HTMLInputElement && one.type === "checkbox"
      ? one.checked !== one.defaultChecked
      : one instanceof HTMLSelectElement
        ? [...one.options].some((option) => option.selected !== option.defaultSelected) && one.selectedIndex > 0
        : one.value !== one.defaultValue;

  const ROWS = ".timeline>li,.grid>tbody>tr";
  /** @param {HTMLElement} row */
  const keyOfRow = (row) => keyOf(row.querySelector("a"));

  /** Replaces the live part. Open parts, typed words, scroll positions and the focus stay. @param {Element} fresh */
  function put(fresh) {
    const live = need("live");
    const focus = live.contains(document.activeElement) ? keyOf(document.activeElement) : "";
    const open = new Map(all(live, "details[id]").map((one) => [one.id, /** @type {HTMLDetailsElement} */ (one).open]));
    const scrolls = new Map(all(live, "[data-scroll]").map((one) => [one.id, one.scrollLeft]));
    const top = all(live, ROWS).find((one) => one.getBoundingClientRect().bottom > 60);
    const from = scrollY > 0 && top ? { key: keyOfRow(top), y: top.getBoundingClientRect().top } : null;
    const texts = new Map(all(live, "pre,.json").map((one) => [one.getAttribute("aria-label"), one.scrollTop]));
    const words = /** @type {Control[]} */ (all(live, "form[data-call] [name]")).filter(isChanged);
    live.replaceChildren(...fresh.childNodes);
    for (const one of words) {
      const now = find(one.id);
      if (now instanceof HTMLInputElement && one instanceof HTMLInputElement) now.checked = one.checked;
      if (now) /** @type {Control} */ (now).value = one.value;
    }
    for (const one of /** @type {HTMLDetailsElement[]} */ (all(live, "details[id]"))) one.open = open.get(one.id) ?? one.open;
    for (const one of all(live, "[data-scroll]")) one.scrollLeft = scrolls.get(one.id) ?? 0;
    for (const one of all(live, "pre,.json")) one.scrollTop = texts.get(one.getAttribute("aria-label")) ?? 0;
    const same = from?.key ? all(live, ROWS).find((one) => keyOfRow(one) === from.key) : undefined;
    if (from && same) scrollBy(0, same.getBoundingClientRect().top - from.y);
    if (!focus) return;
    const again = all(live, "a,button,summary,input,select,[tabindex]").find((one) => keyOf(one) === focus);
    (again ?? need("main")).focus({ preventScroll: true });
  }

  /** @param {string} [address] @returns {Promise<Document>} */
  async function load(address = location.href) {
    const answer = await fetch(address, { headers, cache: "no-store" });
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  /** @param {boolean} [isForced] also while somebody types or selects text */
  async function refresh(isForced = false) {
    if (isBusy) {
      wanted = isForced || wanted === "forced" ? "forced" : "wanted";
      return;
    }
    isBusy = true;
    try {
      const page = await load();
      const fresh = page.getElementById("live");
      const now = page.getElementById("state");
      // A restarted server has another token.
      if (now) headers[state.tokenHeader] = JSON.parse(now.textContent ?? "{}").pageToken;
      if (fresh && fresh.innerHTML !== last && (isForced || !isInUse())) {
        last = fresh.innerHTML;
        put(fresh);
        document.title = page.title;
      }
      tell(isStreaming ? "live" : "refreshes every 2 s");
    } catch {
      tell("the server does not answer");
    }
    isBusy = false;
    if (!wanted) return;
    const isNextForced = wanted === "forced";
    wanted = "";
    await refresh(isNextForced);
  }

  /** @param {string} text */
  function tell(text) {
    const place = need("link-state");
    if (place.textContent !== `${text} ·`) place.textContent = `${text} ·`;
  }

  /** @param {string} title @param {string[]} lines @param {() => unknown} [undo] */
  function say(title, lines, isBad = false, undo) {
    const box = need("result");
    const close = Object.assign(document.createElement("button"), { textContent: "Close" });
    const head = Object.assign(document.createElement("strong"), { textContent: title });
    const list = document.createElement("ol");
    close.addEventListener("click", () => {
      box.hidden = true;
      need("main").focus({ preventScroll: true });
    });
    for (const line of lines) list.append(Object.assign(document.createElement("li"), { textContent: line }));
    box.className = isBad ? "no" : "";
    const back = Object.assign(document.createElement("button"), { textContent: "Undo" });
    back.addEventListener("click", () => undo?.());
    box.replaceChildren(close, ...(undo ? [back] : []), head, ...(lines.length > 0 ? [list] : []));
    box.hidden = false;
  }

  /** @param {string} text */
  const clock = (text) => text.slice(0, 19).replace("T", " ");
  /** @param {unknown} one */
  const text = (one) => (typeof one === "string" ? one : JSON.stringify(one));

  /** @typedef {{ at: string, kind: string, refused?: string, [more: string]: unknown }} Fired */
  /** @param {Fired} job */
  const firedLine = ({ at, kind, refused, ...rest }) =>
    `${clock(at)} ${kind.replaceAll("_", " ")} ${Object.values(rest).map(text).join(" ")}${refused ? ` – refused: ${refused}` : ""}`;

  /**
   * @typedef {object} Answer
   * @property {unknown} [detail]
   * @property {string} [why]
   * @property {unknown[]} [unmet]
   * @property {string} [status]
   * @property {Fired[]} [fired]
   * @property {{ event: string, subscription_name: string, state: string }[]} [deliveries]
   * @property {string} [from]
   * @property {string} [to]
   */
  /** @typedef {{ before: string, after: string, undo: () => unknown }} Edit a value that a form replaced */
  /** @param {string} label @param {number} status @param {Answer} body @param {Edit} [edit] */
  function receipt(label, status, body, edit) {
    const { detail, why, unmet = [], fired, deliveries = [], from = "", to = "" } = body;
    if (status >= 400) {
      const words =
        why && typeof detail === "object"
          ? []
          : typeof detail === "object" && detail
            ? Object.values(detail).flat()
            : [detail ?? body];
      const lines = [...words.map(text), ...(why ? [why] : []), ...unmet.map((one) => JSON.stringify(one))];
      say(`${label}: refused with ${status}`, lines, true);
    } else if (fired) {
      const lines = [
        ...fired.map(firedLine),
        ...deliveries.map((one) => `${one.event} to ${one.subscription_name}: ${one.state}`),
      ];
      say(`${clock(from)} → ${clock(to)}`, lines.length > 0 ? lines : ["Nothing fell due."]);
    } else if (edit) say(`${label}: ${edit.before || "empty"} → ${edit.after || "empty"}`, [], false, edit.undo);
    else say(`${label}: done`, body.status ? [`now ${body.status.replace("document.", "").replaceAll("_", " ")}`] : []);
  }

  /** @param {string} label @param {string} call method and path @param {string} body JSON, or `null` for none @param {Edit} [edit] */
  async function send(label, call, body, edit) {
    const [method, path = ""] = call.split(" ");
    try {
      const init = { method, headers: { ...headers, "content-type": "application/json" } };
      const answer = await fetch(path, body === "null" ? init : { ...init, body });
      const reply = await answer.text();
      receipt(label, answer.status, reply ? JSON.parse(reply) : {}, edit);
      return answer.ok;
    } catch (error) {
      say(`${label}: failed`, [String(error)], true);
      return false;
    }
  }

  /** @param {HTMLButtonElement} button @param {() => Promise<boolean>} run */
  async function whileDisabled(button, run) {
    button.disabled = true;
    const isDone = await run();
    button.disabled = false;
    return isDone;
  }

  document.addEventListener("click", async (event) => {
    const button = /** @type {HTMLButtonElement | null} */ (near(event, "button[data-call]"));
    if (!button) return;
    const { call = "", body = "{}" } = button.dataset;
    await whileDisabled(button, () => send(button.textContent?.trim() ?? "", call, body));
    button.focus({ preventScroll: true });
    await refresh();
  });

  /** The names of inputs are paths in the request body. @param {HTMLFormElement} form */
  function bodyOf(form) {
    const { raw, body = "{}", empty } = form.dataset;
    if (raw) return /** @type {Control} */ (form.elements.namedItem(raw)).value;
    const whole = JSON.parse(body);
    for (const one of /** @type {Control[]} */ ([...form.elements])) {
      const isCheckbox = one instanceof HTMLInputElement && one.type === "checkbox";
      const isSent = isCheckbox ? isChanged(one) : one.value !== "" || empty !== undefined;
      if (!one.name || !isSent) continue;
      // A name in brackets holds any letters, also dots.
      const bracket = one.name.indexOf("[");
      const names = bracket > 0 ? [one.name.slice(0, bracket), one.name.slice(bracket + 1, -1)] : one.name.split(".");
      const member = names.pop() ?? "";
      let part = whole;
      for (const name of names) {
        part[name] ??= {};
        part = part[name];
      }
      part[member] = isCheckbox ? one.checked : one.value;
    }
    return JSON.stringify(whole);
  }

  /** What a form that edits one value says when it is done. Undo submits the value from before. @param {HTMLFormElement} form */
  function editOf(form) {
    const one = /** @type {Control | null} */ (form.querySelector("[name]"));
    if (!form.matches(".edit") || !one) return undefined;
    const before =
      one instanceof HTMLSelectElement
        ? ([...one.options].find((option) => option.defaultSelected)?.value ?? "")
        : one.defaultValue;
    const { id, value: after } = one;
    const undo = () => {
      const now = /** @type {Control | null} */ (find(id));
      if (!now) return;
      now.value = before;
      now.form?.requestSubmit();
    };
    return { before, after, undo };
  }

  /** A refused value is named beside its field. @param {HTMLFormElement} form @param {boolean} isDone */
  function besideField(form, isDone) {
    form.querySelector(".refused")?.remove();
    const box = need("result");
    if (isDone || !form.matches(".inline") || box.hidden) return;
    const words = all(box, "li")
      .map((one) => one.textContent)
      .join(" ");
    form.append(Object.assign(document.createElement("p"), { className: "refused", role: "alert", textContent: words }));
    box.hidden = true;
  }

  document.addEventListener("submit", async (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    const { call, label = "" } = form.dataset;
    if (!call) return;
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (event.submitter ?? form.querySelector("button"));
    const panel = /** @type {HTMLDetailsElement | null} */ (form.closest("details.ask, #paste"));
    const isDone = await whileDisabled(button, () => send(label, call, bodyOf(form), editOf(form)));
    besideField(form, isDone);
    const summary = panel?.querySelector("summary");
    (isDone && summary ? summary : button).focus({ preventScroll: true });
    if (isDone && panel) panel.open = false;
    if (isDone) form.reset();
    // A page does not refresh while somebody types.
    if (isDone && form.matches(".edit")) /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    await refresh();
  });

  document.addEventListener("click", async (event) => {
    const button = near(event, "button[data-copy]");
    const word = button?.firstChild;
    if (!button || !word) return;
    const label = word.textContent;
    const copied = button.dataset.copy ?? "";
    // Only https and loopback pages have a clipboard. Elsewhere, the text is shown.
    try {
      await navigator.clipboard.writeText(copied);
      word.textContent = "Copied";
      setTimeout(() => {
        word.textContent = label;
      }, 1500);
    } catch {
      say("Copy it from here", [copied]);
    }
  });

  document.addEventListener("click", (event) => {
    const link = near(event, "a[data-open]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const address = new URL(link.getAttribute("href") ?? "", location.href);
    history.replaceState(null, "", address);
    const target = address.hash.slice(1);
    refresh(true).then(() => target && find(target)?.scrollIntoView({ block: "nearest" }));
  });

  document.addEventListener("click", (event) => {
    const button = near(event, "button[data-preview]");
    if (!button) return;
    const { title = "", preview = "" } = button.dataset;
    const src = preview + (state.tenant ? `?tenant=${encodeURIComponent(state.tenant)}` : "");
    need("preview-title").textContent = title;
    need("preview-frame").replaceChildren(Object.assign(document.createElement("iframe"), { title, src }));
    /** @type {HTMLDialogElement} */ (need("preview")).showModal();
  });

  /** @type {Record<string, string>} */
  const PLACES = { d: "documents", c: "clock", j: "journal", w: "deliveries", m: "mails", r: "rules", s: "scenarios" };
  /** @param {string} selector */
  const follow = (selector) => {
    const link = document.querySelector(selector);
    if (link instanceof HTMLAnchorElement) location.assign(link.href);
  };
  /** @param {HTMLElement | null | undefined} one */
  const focusOn = (one) => {
    one?.focus();
    if (one instanceof HTMLInputElement) one.select();
  };
  /** @param {number} by */
  const toRow = (by) => {
    const rows = all(null, "main a.row");
    const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = rows[Math.max(at + by, 0)];
    focusOn(next);
    // The next mail opens beside its list.
    if (next?.matches(".split *")) next.click();
  };
  /** @type {Record<string, () => unknown>} */
  const KEYS = {
    "?": () => /** @type {HTMLDialogElement} */ (need("help")).showModal(),
    "/": () => focusOn(find("q")),
    n: () => send("Skip to the next job", "POST /__admin/clock/advance", '{"until":"next"}').then(() => refresh()),
    "[": () => follow('a[rel="prev"]'),
    "]": () => follow('a[rel="next"]'),
    j: () => toRow(1),
    k: () => toRow(-1),
  };
  let isGoing = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (event.key === "Escape") {
      need("result").hidden = true;
      if (isTyping) target.blur();
    }
    if (isTyping || document.querySelector("dialog[open]")) return;
    const place = isGoing ? PLACES[event.key] : undefined;
    isGoing = event.key === "g";
    if (place !== undefined) return follow(`#nav a[data-view="${place}"]`);
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  async function listen() {
    try {
      const answer = await fetch("/__admin/events", { headers: { ...headers, accept: "text/event-stream" } });
      if (!answer.ok || !answer.body) return;
      isStreaming = true;
      refresh();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read())
        if (/^(data|event):/m.test(part.value)) refresh();
    } catch {}
    isStreaming = false;
    setTimeout(listen, 5000);
  }
  listen();
  let ticks = 0;
  setInterval(() => {
    if (!document.hidden && (!isStreaming || ++ticks % 2 === 0)) refresh();
  }, 2000);
})();
