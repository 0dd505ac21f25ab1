/**
 * Adds messages to the embedding page, drawn signatures, a count of open fields, and a check before finishing. Without the script, people
 * can still fill and finish.
 */
(() => {
  /** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
  /** @typedef {HTMLElement & { show?: (mode: string) => void }} Pad */
  /** The place of a field over a page. The drawing script asks whether it is filled. @typedef {HTMLElement & { isFilled?: () => boolean }} Place */
  /** @typedef {{ words: Record<string, string>, draws: boolean, now?: object[], rendered?: object, ended?: object }} State */

  /** @param {ParentNode} root @param {string} selector */
  const all = (root, selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
  /** @param {ParentNode} root @param {string} selector */
  const find = (root, selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));
  /** @param {ParentNode} root @param {string} selector */
  const input = (root, selector) => /** @type {HTMLInputElement | null} */ (root.querySelector(selector));
  /** @param {ParentNode} root @param {string} selector */
  const textOf = (root, selector) => /** @type {Control | null} */ (root.querySelector(selector))?.value.trim() ?? "";
  /** @param {EventTarget | null} target @param {string} selector */
  const near = (target, selector) =>
    /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest(selector) : null);

  /** @type {State} */
  const state = JSON.parse(document.getElementById("state")?.textContent ?? "{}");
  /** @param {string} text @param {Record<string, string | number | undefined>} [values] */
  const t = (text, values = {}) =>
    (state.words[text] ?? text).replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
  const isEmbedded = window.parent !== window;
  /** @param {object | undefined} message */
  const post = (message) => {
    if (isEmbedded && message) window.parent.postMessage(message, "*");
  };
  /** @param {string} text */
  const tell = (text) => {
    const live = document.getElementById("live");
    if (live) live.textContent = text;
  };

  for (const message of state.now ?? []) post(message);
  // The drawing script tells when a PDF is drawn.
  addEventListener(state.draws ? "drawn" : "load", () => post(state.rendered), { once: true });
  if (location.search) history.replaceState(null, "", location.pathname);
  if (isEmbedded && state.ended) watchSession();

  function watchSession() {
    const watch = setInterval(async () => {
      const answer = await fetch(location.pathname.replace(/\/*$/, "/alive")).catch(() => undefined);
      if (answer?.status !== 404) return;
      clearInterval(watch);
      post(state.ended);
      document.body.dataset.state = "ended";
      tell(t("This session has ended. Ask the sender for a new link."));
      for (const button of document.querySelectorAll("button")) button.disabled = true;
    }, 2000);
  }

  for (const one of all(document, "input[name=embedded]")) /** @type {HTMLInputElement} */ (one).value = isEmbedded ? "1" : "";
  find(document, "[data-focus]")?.focus();
  for (const image of /** @type {HTMLImageElement[]} */ (all(document, "[data-image]"))) {
    const replace = () => {
      const note = document.createElement("span");
      note.textContent = t("Image {name} could not be loaded", { name: image.dataset.image });
      image.parentElement?.classList.add("none");
      image.replaceWith(note);
    };
    image.addEventListener("error", replace);
    if (image.complete && image.naturalWidth === 0) replace();
  }

  const form = document.getElementById("sign");
  if (!(form instanceof HTMLFormElement)) return;
  const pads = /** @type {Pad[]} */ (all(form, "[data-pad]"));
  const wanted = all(form, "[data-required]");
  const next = document.getElementById("next");
  /** @type {HTMLElement | null} */
  let last = null;

  /** Shows the parts of a signature that is drawn, typed or taken from a file. @param {Pad} pad */
  function preparePad(pad) {
    const canvas = pad.querySelector("canvas");
    const pen = canvas?.getContext("2d");
    const drawn = input(pad, "[data-drawn]");
    const way = input(pad, "[data-way]");
    const tabs = find(pad, ".tabs");
    if (!canvas || !pen || !drawn || !way || !tabs) return;
    const kept = find(pad, "[data-kept]");
    let isDrawing = false;
    /** @param {string} mode */
    const show = (mode) => {
      way.value = mode;
      for (const part of all(pad, "[data-part]")) part.hidden = part.dataset.part !== mode;
      for (const tab of all(pad, "[data-mode]"))
        if (tab !== pad) tab.setAttribute("aria-pressed", String(tab.dataset.mode === mode));
      if (kept) kept.hidden = mode !== "draw" || drawn.value !== "";
      count();
    };
    /** @param {PointerEvent} event @returns {[x: number, y: number]} */
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return [((event.clientX - box.left) * canvas.width) / box.width, ((event.clientY - box.top) * canvas.height) / box.height];
    };
    Object.assign(pen, { lineWidth: 4, lineCap: "round", lineJoin: "round", strokeStyle: "#12234a", fillStyle: "#12234a" });
    canvas.addEventListener("pointerdown", (event) => {
      isDrawing = true;
      canvas.setPointerCapture(event.pointerId);
      const [x, y] = at(event);
      pen.beginPath();
      pen.arc(x, y, 2, 0, 7);
      pen.fill();
      pen.beginPath();
      pen.moveTo(x, y);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!isDrawing) return;
      pen.lineTo(...at(event));
      pen.stroke();
    });
    /** @param {string} value */
    const keep = (value) => {
      drawn.value = value;
      if (kept) kept.hidden = true;
      count();
    };
    const stop = () => {
      if (!isDrawing) return;
      isDrawing = false;
      keep(canvas.toDataURL("image/png"));
    };
    canvas.addEventListener("pointerup", stop);
    canvas.addEventListener("pointercancel", stop);
    find(pad, "[data-clear]")?.addEventListener("click", () => {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      keep("none");
    });
    tabs.hidden = false;
    for (const tab of /** @type {HTMLElement[]} */ ([...tabs.children]))
      tab.addEventListener("click", () => show(tab.dataset.mode ?? ""));
    pad.show = show;
  }
  for (const pad of pads) preparePad(pad);

  for (const pick of all(form, ".pick")) {
    const [chooser, button, picked] = /** @type {[HTMLInputElement, HTMLElement, HTMLElement]} */ (
      /** @type {unknown} */ ([...pick.children])
    );
    const none = picked.textContent;
    pick.classList.add("own");
    button.hidden = false;
    picked.hidden = false;
    chooser.addEventListener("change", () => {
      picked.textContent = chooser.files?.[0]?.name ?? none;
    });
  }

  /** @param {HTMLElement} field */
  function isFilled(field) {
    const { type } = field.dataset;
    if (type === "checkbox") return input(field, "input")?.checked === true;
    if (type === "radio_buttons") return field.querySelector("input:checked") !== null;
    if (type === "collect_file") return field.hasAttribute("data-filled") || (input(field, "input")?.files?.length ?? 0) > 0;
    const pad = find(field, "[data-pad]");
    if (!pad) return textOf(field, "input,select,textarea") !== "";
    const drawn = textOf(pad, "[data-drawn]");
    const isKept = drawn === "" && pad.querySelector("[data-kept]") !== null;
    if (input(pad, "[type=file]")?.files?.length) return true;
    if (textOf(pad, "[data-way]") === "draw") return drawn.startsWith("data:") || isKept;
    return textOf(pad, ".typed") !== "" || isKept;
  }

  for (const at of /** @type {Place[]} */ (all(form, ".at[data-own]"))) {
    const field = find(at, "[data-testid^=field-]");
    at.isFilled = () => field?.dataset.type !== undefined && isFilled(field);
  }

  /** @param {HTMLElement | undefined} field */
  function reach(field) {
    if (!field) return;
    const controls = all(field, "input:not([type=hidden]),select,textarea,button").filter((one) => one.offsetParent !== null);
    (controls.find((one) => !one.closest(".tabs") && !one.matches("[data-clear]")) ?? controls[0])?.focus({
      preventScroll: true,
    });
    field.scrollIntoView({ block: "center" });
  }
  next?.addEventListener("click", () => {
    const empty = wanted.filter((field) => !isFilled(field));
    const here = last ? wanted.indexOf(last) : -1;
    reach(empty.find((field) => wanted.indexOf(field) > here) ?? empty[0]);
  });
  form.addEventListener("focusin", (event) => {
    last = near(event.target, "[data-required]") ?? last;
  });

  function count() {
    const done = wanted.filter(isFilled).length;
    if (next) next.hidden = done === wanted.length;
    form?.dispatchEvent(new CustomEvent("counted"));
    const progress = document.getElementById("progress");
    // The server has said that nothing is required.
    if (!progress || wanted.length === 0) return;
    progress.textContent =
      done === wanted.length
        ? t("Everything that is required is filled in.")
        : t("{done} of {count} required fields filled in.", { done, count: wanted.length });
  }

  /** @param {HTMLElement} field @param {string} text empty when nothing is wrong */
  function say(field, text) {
    const error = find(field, ".error");
    const control = find(field, "input:not([type=hidden]),select,textarea");
    field.classList.toggle("wrong", text !== "");
    if (!error || !control) return;
    error.textContent = text;
    error.hidden = text === "";
    if (text === "") {
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
      return;
    }
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", error.id);
  }

  form.addEventListener("input", (event) => {
    count();
    const field = near(event.target, "[data-required]");
    if (field?.classList.contains("wrong") && isFilled(field)) say(field, "");
  });
  form.addEventListener("submit", (event) => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.value !== "finish") return;
    const missing = wanted.filter((field) => !isFilled(field));
    for (const field of wanted) say(field, missing.includes(field) ? t("This field is required.") : "");
    if (missing.length === 0) return;
    event.preventDefault();
    tell(
      missing.length === 1
        ? t("One required field is empty.")
        : t("{count} required fields are empty.", { count: missing.length }),
    );
    reach(missing[0]);
  });

  // The server counts, so the totals are those of the finished document.
  let asked = 0;
  /** @param {HTMLFormElement} chosenIn */
  async function total(chosenIn) {
    const mine = ++asked;
    const body = new FormData();
    body.append("choices", "1");
    for (const one of /** @type {HTMLInputElement[]} */ (all(chosenIn, "[data-choice]")))
      if ((one.type !== "checkbox" && one.type !== "radio") || one.checked) body.append(one.name, one.value);
    const address = location.pathname.replace(/\/*$/, "/totals");
    const answer = await fetch(address, { method: "POST", body }).catch(() => undefined);
    if (!answer?.ok || mine !== asked) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const one of all(fresh, "[data-live]")) {
      const old = document.getElementById(one.id);
      if (old && old.innerHTML !== one.innerHTML) old.replaceChildren(...one.childNodes);
    }
  }
  form.addEventListener("input", (event) => {
    if (event.target instanceof Element && event.target.matches("[data-choice]")) total(form);
  });
  for (const pad of pads) pad.show?.(textOf(pad, "[data-way]"));
  count();
})();
