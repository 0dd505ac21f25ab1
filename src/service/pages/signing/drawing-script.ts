/**
 * Draws the pages of a PDF and lays the fields over them, in the order of the form. On a narrow screen the fields stay below their page,
 * and numbers mark their places. When drawing fails, the text stays.
 */
import { raw } from "../../../engine/http/html.ts";

export const DRAWING = raw(`
const doc = document.getElementById("sheet");
const leaves = [...doc.querySelectorAll("[data-pdf]")];
const form = document.getElementById("sign");
const { words } = JSON.parse(document.getElementById("state").textContent);
const t = (text, values = {}) => (words[text] ?? text).replace(/\\{(\\w+)\\}/g, (place, name) => values[name] ?? place);
const make = (name, attributes, ...children) => {
  const one = Object.assign(document.createElement(name), attributes);
  one.append(...children);
  return one;
};

/* Positions are fractions of the page. The viewport knows how a page is turned or cut. */
function place(leaf, view) {
  const width = +leaf.dataset.width, height = +leaf.dataset.height;
  for (const one of leaf.querySelectorAll("[data-box]")) {
    const [x, y, w, h] = one.dataset.box.split(" ").map(Number);
    let box = [x / width, y / height, w / width, h / height];
    if (view) {
      const [x1, y1, x2, y2] = view.convertToViewportRectangle([x, height - y - h, x + w, height - y]);
      box = [Math.min(x1, x2) / view.width, Math.min(y1, y2) / view.height, Math.abs(x2 - x1) / view.width, Math.abs(y2 - y1) / view.height];
    }
    const [left, top, wide, high] = box.map((part) => part * 100 + "%");
    for (const [name, value] of Object.entries({ left, top, wide, high })) one.style.setProperty("--" + name, value);
    one.style.setProperty("--letter", (h / width) * 58 + "cqw");
    one.classList.toggle("right", box[0] + box[2] > 0.6);
    one.classList.toggle("low", box[1] > 0.6);
    one.classList.toggle("tall", h > 40);
  }
}

function number(leaf) {
  const own = [...leaf.querySelectorAll(".at[data-own]")];
  const pins = own.map((one, i) => {
    const pin = make("span", { className: "pin" }, String(i + 1));
    pin.dataset.box = one.dataset.box;
    pin.onclick = () => focusIn(one);
    one.pin = pin;
    one.prepend(make("span", { className: "nth", ariaHidden: "true" }, String(i + 1)));
    return pin;
  });
  const others = [...leaf.querySelectorAll(".at:not([data-own])")].flatMap((one) => {
    const value = one.querySelector(".read:not(.blank) .value");
    if (!value) return [];
    const pin = make("span", { className: "pin other" }, ...value.cloneNode(true).childNodes);
    for (const link of pin.querySelectorAll("a")) link.replaceWith(link.textContent);
    pin.dataset.box = one.dataset.box;
    return [pin];
  });
  const layer = make("div", { className: "pins" }, ...pins, ...others);
  layer.setAttribute("aria-hidden", "true");
  return layer;
}

function focusIn(at) {
  const control = [...at.querySelectorAll("button,input:not([type=hidden]),select,textarea")].find((one) => one.offsetParent !== null);
  control?.focus({ preventScroll: true });
  at.scrollIntoView({ block: "center" });
}

function fold(at) {
  const pad = at.querySelector("[data-pad]"), field = pad.closest("fieldset"), label = field.querySelector("legend").firstChild.textContent.trim();
  const word = t({ signature: "Sign here", initials: "Initials", stamp: "Stamp" }[field.dataset.type]);
  pad.id = "pad-" + field.id;
  const open = make("button", { type: "button", className: "open" });
  open.setAttribute("aria-expanded", "false");
  open.setAttribute("aria-controls", pad.id);
  const done = make("button", { type: "button", className: "btn done" }, t("Done"));
  pad.append(done);
  field.insertBefore(open, pad);
  const show = (isOpen) => {
    at.classList.toggle("opened", isOpen);
    open.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) [...pad.querySelectorAll("input.typed,canvas")].find((one) => one.offsetParent !== null)?.focus();
  };
  open.onclick = () => show(!at.classList.contains("opened"));
  done.onclick = () => { show(false); open.focus(); };
  at.addEventListener("keydown", (event) => {
    const isEnter = event.key === "Enter" && event.target.matches(".typed");
    if (!at.classList.contains("opened") || (event.key !== "Escape" && !isEnter)) return;
    event.preventDefault();
    show(false);
    open.focus();
  });
  at.addEventListener("focusout", (event) => { if (event.relatedTarget && !at.contains(event.relatedTarget)) show(false); });
  document.addEventListener("pointerdown", (event) => { if (!at.contains(event.target)) show(false); });
  at.preview = () => {
    const drawn = pad.querySelector("[data-drawn]").value, kept = pad.querySelector("[data-kept]"), typed = pad.querySelector(".typed").value.trim();
    const isDrawn = pad.querySelector("[data-way]").value === "draw";
    const src = drawn.startsWith("data:") ? drawn : drawn === "" && kept ? kept.src : "";
    const file = pad.querySelector("[type=file]")?.files[0];
    const shown = file ? [file.name] : isDrawn && src ? [make("img", { src, alt: "" })] : !isDrawn && typed ? [make("span", { className: "script" }, typed)] : [];
    open.replaceChildren(...(shown.length ? shown : [word]));
    open.setAttribute("aria-label", shown.length ? t("{name}: {value}, change it", { name: label, value: file ? file.name : isDrawn ? t("drawn") : typed }) : label + ": " + word.toLowerCase());
    open.classList.toggle("given", shown.length > 0);
  };
}

/* Field tags are fields now, so white boxes cover their text. */
const TAG = /[{[](?:text|textfield|t|checkbox|c|signature|s|date|d|initials|i|dropdown|dd)\\*?:[^:{}[\\]\\n]*(?::[^:{}[\\]\\n]*)?[}\\]]/gi;
async function blank(page, viewport, pen) {
  const { items } = await page.getTextContent();
  const measure = (text) => pen.measureText(text).width;
  pen.resetTransform();
  pen.fillStyle = "#fff";
  pen.font = "20px sans-serif";
  for (const { str = "", transform, width, height } of items) {
    const whole = measure(str);
    for (const { index, 0: tag } of str.matchAll(TAG)) {
      const left = transform[4] + (width * measure(str.slice(0, index))) / whole - height / 8;
      const [x1, y1, x2, y2] = viewport.convertToViewportRectangle([left, transform[5] - height * 0.35, left + (width * measure(tag)) / whole + height / 2, transform[5] + height]);
      pen.fillRect(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
    }
  }
}

/* A field over a page has no room for a label, so its placeholder names it. */
function hint(at) {
  const field = at.querySelector(".field"), text = field?.querySelector("label,legend,.label");
  if (!text) return;
  const input = field.querySelector("input[type=text],input[type=password],textarea");
  const name = text.firstChild?.textContent?.trim() || text.textContent.trim();
  if (input && !field.querySelector("[data-pad]") && !input.placeholder) input.placeholder = name + (field.hasAttribute("data-required") ? " *" : "");
  field.title = name;
  const file = field.querySelector(":scope > .pick > input");
  if (!file) return;
  const chosen = make("span", { className: "chosen" });
  file.parentNode.append(chosen);
  at.preview = () => { chosen.textContent = file.files[0]?.name ?? field.querySelector(".kept a")?.textContent ?? t("Attach {name}", { name }) + (field.hasAttribute("data-required") ? " *" : ""); };
}

function refresh() {
  for (const at of doc.querySelectorAll("[data-pdf] .at[data-own]")) {
    at.preview?.();
    at.pin?.classList.toggle("done", at.isFilled?.() ?? false);
  }
}

for (const leaf of leaves) {
  const stage = leaf.querySelector(".stage");
  const canvas = make("canvas", { className: "ink" });
  canvas.setAttribute("aria-hidden", "true");
  stage.querySelector(".spacer").after(canvas, number(leaf));
  for (const at of leaf.querySelectorAll(".at[data-own]")) {
    if (at.querySelector("[data-pad]")) fold(at);
    hint(at);
  }
  place(leaf);
  leaf.classList.add("drawn");
}
form?.addEventListener("counted", refresh);
refresh();
document.addEventListener("click", (event) => {
  const at = document.getElementById(event.target.closest?.("a[href^='#f-']")?.hash.slice(1) ?? "")?.closest(".drawn .at");
  if (!at) return;
  event.preventDefault();
  focusIn(at);
});

const reader = (async () => {
  const lib = await import("/s/assets/pdf.mjs");
  lib.GlobalWorkerOptions.workerSrc = "/s/assets/pdf.worker.mjs";
  return { lib, worker: new lib.PDFWorker() };
})();
reader.catch(() => {});
const files = new Map();
async function open(url) {
  const { lib, worker } = await reader;
  const assets = { cMapUrl: "/s/assets/", wasmUrl: "/s/assets/", iccUrl: "/s/assets/", standardFontDataUrl: "/s/assets/" };
  return lib.getDocument({ url, worker, ...assets, isEvalSupported: false, useSystemFonts: false, enableXfa: false, disableRange: true, verbosity: 0 }).promise;
}

async function draw(leaf) {
  const { pdf, number, form, tags } = leaf.dataset;
  if (!files.has(pdf)) files.set(pdf, open(pdf));
  const [{ lib }, file] = await Promise.all([reader, files.get(pdf)]);
  const wide = Math.round(leaf.querySelector(".stage").clientWidth * Math.min(2, devicePixelRatio || 1));
  if (leaf.inked === wide) return;
  leaf.inked = wide;
  leaf.task?.cancel();
  /* A document can have more pages than its file. These stay blank. */
  if (+number <= file.numPages) {
    /* All files share one page count in pdf.js. */
    lib.PagesMapper.instance.pagesNumber = file.numPages;
    const page = await file.getPage(+number);
    if (leaf.inked !== wide) return;
    const whole = page.getViewport({ scale: 1 }), viewport = page.getViewport({ scale: wide / whole.width });
    place(leaf, whole);
    leaf.querySelector(".spacer").setAttribute("viewBox", "0 0 " + whole.width + " " + whole.height);
    const ink = leaf.querySelector(".ink").cloneNode();
    Object.assign(ink, { width: Math.round(viewport.width), height: Math.round(viewport.height) });
    const { ENABLE, ENABLE_FORMS } = lib.AnnotationMode;
    leaf.task = page.render({ canvas: ink, viewport, annotationMode: form === undefined ? ENABLE : ENABLE_FORMS });
    try { await leaf.task.promise; } catch (error) { if (error.name === "RenderingCancelledException") return; throw error; }
    if (tags !== undefined) await blank(page, viewport, ink.getContext("2d"));
    if (leaf.inked !== wide) return;
    leaf.querySelector(".ink").replaceWith(ink);
  }
  leaf.dataset.inked = "";
  announceDrawn();
}

/* Runs once: when every sheet in sight is drawn, or when drawing fails. */
let announced = false;
function announceDrawn() {
  if (announced || (doc.dataset.undrawn === undefined && [...near].some((leaf) => leaf.dataset.inked === undefined))) return;
  announced = true;
  dispatchEvent(new Event("drawn"));
}

function clear(leaf) {
  if (leaf.inked === undefined) return;
  leaf.task?.cancel();
  leaf.inked = undefined;
  delete leaf.dataset.inked;
  const canvas = leaf.querySelector(".ink");
  canvas.width = canvas.height = 0;
}

function giveUp(error) {
  if (doc.dataset.undrawn !== undefined) return;
  console.warn("The pages could not be drawn:", error);
  watch.disconnect();
  resized.disconnect();
  doc.dataset.undrawn = "";
  for (const leaf of leaves) leaf.classList.remove("drawn");
  for (const one of doc.querySelectorAll(".ink,.pins,.nth,.chosen")) one.remove();
  for (const one of doc.querySelectorAll(".open,.done")) one.hidden = true;
  doc.prepend(make("p", { className: "undrawn", role: "status" }, t("The pages could not be drawn. This is their text; the original is at the end.")));
  announceDrawn();
}

const near = new Set();
const drawOrGiveUp = (leaf) => void draw(leaf).catch(giveUp);
const watch = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (isIntersecting) { near.add(target); drawOrGiveUp(target); } else { near.delete(target); clear(target); }
  }
}, { rootMargin: "1200px 0px" });
for (const leaf of leaves) watch.observe(leaf);
const resized = new ResizeObserver(() => near.forEach(drawOrGiveUp));
resized.observe(doc);
`);
