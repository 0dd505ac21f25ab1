import { raw } from "../../../engine/http/html.ts";

/**
 * Adds messages to the embedding page, drawn signatures, a count of open fields, and a check before finishing. Without the script, people
 * can still fill and finish.
 */
export const SCRIPT = raw(`
(() => {
  const state = JSON.parse(document.getElementById("state").textContent);
  const t = (text, values = {}) => (state.words[text] ?? text).replace(/\\{(\\w+)\\}/g, (place, name) => values[name] ?? place);
  const embedded = window.parent !== window;
  const post = (message) => { if (embedded && message) window.parent.postMessage(message, "*"); };
  for (const message of state.now ?? []) post(message);
  /* The drawing script tells when a PDF is drawn. */
  addEventListener(state.draws ? "drawn" : "load", () => post(state.rendered), { once: true });
  if (location.search) history.replaceState(null, "", location.pathname);
  if (embedded && state.ended) watchSession();
  function watchSession() {
    const watch = setInterval(async () => {
      const answer = await fetch(location.pathname.replace(/\\/*$/, "/alive")).catch(() => undefined);
      if (answer?.status !== 404) return;
      clearInterval(watch);
      post(state.ended);
      document.body.dataset.state = "ended";
      document.getElementById("live").textContent = t("This session has ended. Ask the sender for a new link.");
      for (const button of document.querySelectorAll("button")) button.disabled = true;
    }, 2000);
  }
  for (const input of document.querySelectorAll("input[name=embedded]")) input.value = embedded ? "1" : "";
  document.querySelector("[data-focus]")?.focus();
  for (const image of document.querySelectorAll("[data-image]")) {
    const tell = () => {
      const note = document.createElement("span");
      note.textContent = t("Image {name} could not be loaded", { name: image.dataset.image });
      image.parentNode?.classList.add("none");
      image.replaceWith(note);
    };
    image.addEventListener("error", tell);
    if (image.complete && image.naturalWidth === 0) tell();
  }
  const form = document.getElementById("sign");
  if (!form) return;

  for (const pad of form.querySelectorAll("[data-pad]")) {
    const canvas = pad.querySelector("canvas"), drawn = pad.querySelector("[data-drawn]"), way = pad.querySelector("[data-way]");
    const kept = pad.querySelector("[data-kept]"), pen = canvas.getContext("2d");
    let drawing = false;
    const show = (mode) => {
      way.value = mode;
      for (const part of pad.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== mode;
      for (const tab of pad.querySelectorAll("[data-mode]")) if (tab !== pad) tab.setAttribute("aria-pressed", String(tab.dataset.mode === mode));
      if (kept) kept.hidden = mode !== "draw" || drawn.value !== "";
      count();
    };
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      return [((event.clientX - box.left) * canvas.width) / box.width, ((event.clientY - box.top) * canvas.height) / box.height];
    };
    Object.assign(pen, { lineWidth: 4, lineCap: "round", lineJoin: "round", strokeStyle: "#12234a", fillStyle: "#12234a" });
    canvas.addEventListener("pointerdown", (event) => {
      drawing = true;
      canvas.setPointerCapture(event.pointerId);
      const [x, y] = at(event);
      pen.beginPath();
      pen.arc(x, y, 2, 0, 7);
      pen.fill();
      pen.beginPath();
      pen.moveTo(x, y);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drawing) return;
      pen.lineTo(...at(event));
      pen.stroke();
    });
    const stop = () => {
      if (!drawing) return;
      drawing = false;
      drawn.value = canvas.toDataURL("image/png");
      if (kept) kept.hidden = true;
      count();
    };
    canvas.addEventListener("pointerup", stop);
    canvas.addEventListener("pointercancel", stop);
    pad.querySelector("[data-clear]").addEventListener("click", () => {
      pen.clearRect(0, 0, canvas.width, canvas.height);
      drawn.value = "none";
      if (kept) kept.hidden = true;
      count();
    });
    const tabs = pad.querySelector(".tabs");
    tabs.hidden = false;
    for (const tab of tabs.children) tab.addEventListener("click", () => show(tab.dataset.mode));
    pad.show = show;
  }

  for (const pick of form.querySelectorAll(".pick")) {
    const [input, button, picked] = pick.children, none = picked.textContent;
    pick.classList.add("own");
    button.hidden = picked.hidden = false;
    input.addEventListener("change", () => { picked.textContent = input.files[0]?.name ?? none; });
  }

  function isFilled(field) {
    const { type } = field.dataset;
    if (type === "checkbox") return field.querySelector("input").checked;
    if (type === "radio_buttons") return field.querySelector("input:checked") !== null;
    if (type === "collect_file") return field.hasAttribute("data-filled") || field.querySelector("input").files.length > 0;
    const pad = field.querySelector("[data-pad]");
    if (!pad) return field.querySelector("input,select,textarea").value.trim() !== "";
    const drawn = pad.querySelector("[data-drawn]").value;
    if (pad.querySelector("[type=file]")?.files.length) return true;
    if (pad.querySelector("[data-way]").value === "draw") return drawn.startsWith("data:") || (drawn === "" && pad.querySelector("[data-kept]") !== null);
    return pad.querySelector(".typed").value.trim() !== "" || (drawn === "" && pad.querySelector("[data-kept]") !== null);
  }
  const wanted = [...form.querySelectorAll("[data-required]")], next = document.getElementById("next");
  for (const at of form.querySelectorAll(".at[data-own]")) {
    const field = at.querySelector("[data-testid^=field-]");
    at.isFilled = () => field.dataset.type !== undefined && isFilled(field);
  }
  const reach = (field) => {
    const controls = [...field.querySelectorAll("input:not([type=hidden]),select,textarea,button")].filter((one) => one.offsetParent !== null);
    (controls.find((one) => !one.closest(".tabs") && !one.matches("[data-clear]")) ?? controls[0])?.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
  };
  next.addEventListener("click", () => {
    const empty = wanted.filter((field) => !isFilled(field));
    const here = wanted.findIndex((field) => field === last);
    reach(empty.find((field) => wanted.indexOf(field) > here) ?? empty[0]);
  });
  let last = null;
  form.addEventListener("focusin", (event) => { last = event.target.closest("[data-required]") ?? last; });
  function count() {
    const done = wanted.filter(isFilled).length;
    const progress = document.getElementById("progress");
    next.hidden = done === wanted.length;
    form.dispatchEvent(new CustomEvent("counted"));
    if (progress) progress.textContent = done === wanted.length ? t("Everything that is required is filled in.") : t("{done} of {count} required fields filled in.", { done, count: wanted.length });
  }
  function say(field, text) {
    const error = field.querySelector(".error"), control = field.querySelector("input:not([type=hidden]),select,textarea");
    error.textContent = text;
    error.hidden = text === "";
    field.classList.toggle("wrong", text !== "");
    if (text === "") { control.removeAttribute("aria-invalid"); control.removeAttribute("aria-describedby"); return; }
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", error.id);
  }
  form.addEventListener("input", (event) => {
    count();
    const field = event.target.closest("[data-required]");
    if (field?.classList.contains("wrong") && isFilled(field)) say(field, "");
  });
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "finish") return;
    const missing = wanted.filter((field) => !isFilled(field));
    for (const field of wanted) say(field, missing.includes(field) ? t("This field is required.") : "");
    if (missing.length === 0) return;
    event.preventDefault();
    const live = document.getElementById("live");
    live.textContent = missing.length === 1 ? t("One required field is empty.") : t("{count} required fields are empty.", { count: missing.length });
    reach(missing[0]);
  });
  /* The server counts, so the totals are those of the finished document. */
  let asked = 0;
  async function total() {
    const mine = ++asked, body = new FormData();
    body.append("choices", "1");
    for (const one of form.querySelectorAll("[data-choice]")) if (one.type !== "checkbox" && one.type !== "radio" || one.checked) body.append(one.name, one.value);
    const answer = await fetch(location.pathname.replace(/\\/*$/, "/totals"), { method: "POST", body }).catch(() => undefined);
    if (!answer?.ok || mine !== asked) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const one of fresh.querySelectorAll("[data-live]")) { const old = document.getElementById(one.id); if (old && old.innerHTML !== one.innerHTML) old.replaceChildren(...one.childNodes); }
  }
  form.addEventListener("input", (event) => { if (event.target.matches("[data-choice]")) total(); });
  for (const pad of form.querySelectorAll("[data-pad]")) pad.show(pad.querySelector("[data-way]").value);
  count();
})();
`);
