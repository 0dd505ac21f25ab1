/**
 * Adds messages to the embedding page, totals of choices, a count of open fields, and a check before finishing. Without the script,
 * people can still fill and finish.
 */
(() => {
  /** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
  /** @typedef {{ now?: object[], rendered?: object, ended?: object }} Messages */

  /** @param {ParentNode} root @param {string} selector */
  const all = (root, selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
  /** @param {ParentNode} root @param {string} selector */
  const find = (root, selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));
  /** @param {ParentNode} root @param {string} selector */
  const input = (root, selector) => /** @type {HTMLInputElement | null} */ (root.querySelector(selector));
  /** @param {EventTarget | null} target @param {string} selector */
  const near = (target, selector) =>
    /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest(selector) : null);

  /** @type {Messages} */
  const messages = JSON.parse(document.getElementById("state")?.textContent ?? "{}");
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

  for (const message of messages.now ?? []) post(message);
  addEventListener("load", () => post(messages.rendered), { once: true });
  if (location.search) history.replaceState(null, "", location.pathname);
  if (isEmbedded && messages.ended) watchSession();

  function watchSession() {
    const watch = setInterval(async () => {
      const answer = await fetch(location.pathname.replace(/\/*$/, "/alive")).catch(() => undefined);
      if (answer?.status !== 404) return;
      clearInterval(watch);
      post(messages.ended);
      document.body.dataset.state = "ended";
      tell("This session has ended. Ask the sender for a new link.");
      for (const button of document.querySelectorAll("button")) button.disabled = true;
    }, 2000);
  }

  for (const one of all(document, "input[name=embedded]")) /** @type {HTMLInputElement} */ (one).value = isEmbedded ? "1" : "";
  find(document, "[data-focus]")?.focus();
  for (const image of /** @type {HTMLImageElement[]} */ (all(document, "[data-image]"))) {
    const replace = () => {
      const note = document.createElement("span");
      note.textContent = `Image ${image.dataset.image} could not be loaded`;
      image.parentElement?.classList.add("none");
      image.replaceWith(note);
    };
    image.addEventListener("error", replace);
    if (image.complete && image.naturalWidth === 0) replace();
  }

  const form = document.getElementById("sign");
  if (!(form instanceof HTMLFormElement)) return;
  const wanted = all(form, "[data-required]");
  const next = document.getElementById("next");
  /** @type {HTMLElement | null} */
  let last = null;

  /** @param {HTMLElement} field */
  function isFilled(field) {
    const { type } = field.dataset;
    if (type === "checkbox") return input(field, "input")?.checked === true;
    if (type === "radio_buttons") return field.querySelector("input:checked") !== null;
    if (type === "collect_file") return field.hasAttribute("data-filled") || (input(field, "input")?.files?.length ?? 0) > 0;
    return /** @type {Control | null} */ (field.querySelector("input,select,textarea"))?.value.trim() !== "";
  }

  /** @param {HTMLElement | undefined} field */
  function reach(field) {
    if (!field) return;
    find(field, "input,select,textarea")?.focus({ preventScroll: true });
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
    const progress = document.getElementById("progress");
    // The server has said that nothing is required.
    if (!progress || wanted.length === 0) return;
    progress.textContent =
      done === wanted.length
        ? "Everything that is required is filled in."
        : `${done} of ${wanted.length} required fields filled in.`;
  }

  /** @param {HTMLElement} field @param {string} text empty when nothing is wrong */
  function say(field, text) {
    const error = find(field, ".error");
    const control = find(field, "input,select,textarea");
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
    for (const field of wanted) say(field, missing.includes(field) ? "This field is required." : "");
    if (missing.length === 0) return;
    event.preventDefault();
    tell(missing.length === 1 ? "One required field is empty." : `${missing.length} required fields are empty.`);
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
  count();
})();
