/**
 * Draws the pages of a PDF and lays the fields over them, in the order of the form. On a narrow screen the fields stay below their page,
 * and numbers mark their places. When drawing fails, the text stays.
 */
/** @typedef {typeof import("pdfjs-dist")} Library */
/** @typedef {import("pdfjs-dist").PDFDocumentProxy} Pdf */
/** @typedef {import("pdfjs-dist").PDFPageProxy} PdfPage */
/** @typedef {import("pdfjs-dist").PageViewport} View */
/** @typedef {HTMLElement & { inked?: number, task?: import("pdfjs-dist").RenderTask }} Leaf */
/** The place of a field over a page. The other script says whether it is filled. @typedef {HTMLElement & { pin?: HTMLElement, preview?: () => void, isFilled?: () => boolean }} Place */

/** @param {ParentNode} root @param {string} selector */
const all = (root, selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
/** @param {ParentNode} root @param {string} selector */
const find = (root, selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));
/** @param {ParentNode} root @param {string} selector */
const need = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
/** @param {ParentNode} root @param {string} selector */
const input = (root, selector) => /** @type {HTMLInputElement | null} */ (root.querySelector(selector));
/** @param {ParentNode} root @param {string} selector */
const contentOf = (root, selector) => input(root, selector)?.value ?? "";
/** @param {HTMLElement[]} controls */
const visible = (controls) => controls.find((one) => one.offsetParent !== null);
/** @param {Event} event @param {HTMLElement} root */
const isIn = ({ target }, root) => target instanceof Node && root.contains(target);

const doc = need(document, "#sheet");
const leaves = /** @type {Leaf[]} */ (all(doc, "[data-pdf]"));
const form = document.getElementById("sign");
/** @type {{ words: Record<string, string> }} */
const { words } = JSON.parse(need(document, "#state").textContent ?? "");
/** @param {string} text @param {Record<string, string | undefined>} [values] */
const t = (text, values = {}) => (words[text] ?? text).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);

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

/** Positions are fractions of the page. The viewport knows how a page is turned or cut. @param {Leaf} leaf @param {View} [view] */
function place(leaf, view) {
  const width = Number(leaf.dataset.width);
  const height = Number(leaf.dataset.height);
  for (const one of all(leaf, "[data-box]")) {
    const [x = 0, y = 0, w = 0, h = 0] = (one.dataset.box ?? "").split(" ").map(Number);
    let [left, top, wide, high] = [x / width, y / height, w / width, h / height];
    if (view) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = view.convertToViewportRectangle([x, height - y - h, x + w, height - y]);
      [left, top] = [Math.min(x1, x2) / view.width, Math.min(y1, y2) / view.height];
      [wide, high] = [Math.abs(x2 - x1) / view.width, Math.abs(y2 - y1) / view.height];
    }
    for (const [name, part] of Object.entries({ left, top, wide, high })) one.style.setProperty(`--${name}`, `${part * 100}%`);
    one.style.setProperty("--letter", `${(h / width) * 58}cqw`);
    one.classList.toggle("right", left + wide > 0.6);
    one.classList.toggle("low", top > 0.6);
    one.classList.toggle("tall", h > 40);
  }
}

/** Makes the layer with the pins of a page. @param {Leaf} leaf */
function number(leaf) {
  const pins = /** @type {Place[]} */ (all(leaf, ".at[data-own]")).map((one, i) => {
    const pin = make("span", { className: "pin" }, String(i + 1));
    pin.dataset.box = one.dataset.box;
    pin.onclick = () => focusIn(one);
    one.pin = pin;
    one.prepend(make("span", { className: "nth", ariaHidden: "true" }, String(i + 1)));
    return pin;
  });
  const others = all(leaf, ".at:not([data-own])").flatMap((one) => {
    const value = find(one, ".read:not(.blank) .value");
    if (!value) return [];
    const pin = make("span", { className: "pin other" }, ...value.cloneNode(true).childNodes);
    for (const link of all(pin, "a")) link.replaceWith(link.textContent ?? "");
    pin.dataset.box = one.dataset.box;
    return [pin];
  });
  const layer = make("div", { className: "pins" }, ...pins, ...others);
  layer.setAttribute("aria-hidden", "true");
  return layer;
}

/** @param {HTMLElement} at */
function focusIn(at) {
  visible(all(at, "button,input:not([type=hidden]),select,textarea"))?.focus({ preventScroll: true });
  at.scrollIntoView({ block: "center" });
}

/** @type {Record<string, string>} */
const MARKS = { signature: "Sign here", initials: "Initials", stamp: "Stamp" };

/** Folds the pad of a signature into a button. @param {Place} at @param {HTMLElement} pad */
function fold(at, pad) {
  const field = /** @type {HTMLElement} */ (pad.closest("fieldset"));
  const label = need(field, "legend").firstChild?.textContent?.trim() ?? "";
  const word = t(MARKS[field.dataset.type ?? ""] ?? "");
  pad.id = `pad-${field.id}`;
  const open = make("button", { type: "button", className: "open" });
  open.setAttribute("aria-expanded", "false");
  open.setAttribute("aria-controls", pad.id);
  const done = make("button", { type: "button", className: "btn done" }, t("Done"));
  pad.append(done);
  field.insertBefore(open, pad);
  /** @param {boolean} isOpen */
  const show = (isOpen) => {
    at.classList.toggle("opened", isOpen);
    open.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) visible(all(pad, "input.typed,canvas"))?.focus();
  };
  open.onclick = () => show(!at.classList.contains("opened"));
  done.onclick = () => {
    show(false);
    open.focus();
  };
  at.addEventListener("keydown", (event) => {
    const isEnter = event.key === "Enter" && event.target instanceof Element && event.target.matches(".typed");
    if (!at.classList.contains("opened") || (event.key !== "Escape" && !isEnter)) return;
    event.preventDefault();
    show(false);
    open.focus();
  });
  at.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !at.contains(relatedTarget)) show(false);
  });
  document.addEventListener("pointerdown", (event) => {
    if (!isIn(event, at)) show(false);
  });
  at.preview = () => {
    const drawn = contentOf(pad, "[data-drawn]");
    const kept = /** @type {HTMLImageElement | null} */ (find(pad, "[data-kept]"));
    const typed = contentOf(pad, ".typed").trim();
    const isDrawn = contentOf(pad, "[data-way]") === "draw";
    const src = drawn.startsWith("data:") ? drawn : drawn === "" && kept ? kept.src : "";
    const file = input(pad, "[type=file]")?.files?.[0];
    /** @type {Node | string | undefined} */
    let shown;
    if (file) shown = file.name;
    else if (isDrawn && src) shown = make("img", { src, alt: "" });
    else if (!isDrawn && typed) shown = make("span", { className: "script" }, typed);
    const value = file ? file.name : isDrawn ? t("drawn") : typed;
    open.replaceChildren(shown ?? word);
    open.setAttribute(
      "aria-label",
      shown ? t("{name}: {value}, change it", { name: label, value }) : `${label}: ${word.toLowerCase()}`,
    );
    open.classList.toggle("given", shown !== undefined);
  };
}

/** Field tags are fields now, so white boxes cover their text. */
const TAG =
  /[{[](?:text|textfield|t|checkbox|c|signature|s|date|d|initials|i|dropdown|dd)\*?:[^:{}[\]\n]*(?::[^:{}[\]\n]*)?[}\]]/gi;

/** @param {PdfPage} page @param {View} viewport @param {CanvasRenderingContext2D} pen */
async function blank(page, viewport, pen) {
  const { items } = await page.getTextContent();
  /** @param {string} text */
  const measure = (text) => pen.measureText(text).width;
  pen.resetTransform();
  pen.fillStyle = "#fff";
  pen.font = "20px sans-serif";
  for (const item of items) {
    if (!("str" in item)) continue;
    const { str, transform, width, height } = item;
    const whole = measure(str);
    for (const { index, 0: tag } of str.matchAll(TAG)) {
      const left = transform[4] + (width * measure(str.slice(0, index))) / whole - height / 8;
      const right = left + (width * measure(tag)) / whole + height / 2;
      const box = [left, transform[5] - height * 0.35, right, transform[5] + height];
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(box);
      pen.fillRect(Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1));
    }
  }
}

/** A field over a page has no room for a label, so its placeholder names it. @param {Place} at */
function hint(at) {
  const field = find(at, ".field");
  const text = field && find(field, "label,legend,.label");
  if (!text) return;
  const typed = input(field, "input[type=text],input[type=password],textarea");
  const name = text.firstChild?.textContent?.trim() || (text.textContent ?? "").trim();
  const star = field.hasAttribute("data-required") ? " *" : "";
  if (typed && !find(field, "[data-pad]") && !typed.placeholder) typed.placeholder = name + star;
  field.title = name;
  const file = input(field, ":scope > .pick > input");
  if (!file) return;
  const chosen = make("span", { className: "chosen" });
  file.parentElement?.append(chosen);
  at.preview = () => {
    const kept = find(field, ".kept a")?.textContent;
    chosen.textContent = file.files?.[0]?.name ?? kept ?? t("Attach {name}", { name }) + star;
  };
}

function refresh() {
  for (const at of /** @type {Place[]} */ (all(doc, "[data-pdf] .at[data-own]"))) {
    at.preview?.();
    at.pin?.classList.toggle("done", at.isFilled?.() ?? false);
  }
}

for (const leaf of leaves) {
  const canvas = make("canvas", { className: "ink" });
  canvas.setAttribute("aria-hidden", "true");
  need(leaf, ".stage .spacer").after(canvas, number(leaf));
  for (const at of /** @type {Place[]} */ (all(leaf, ".at[data-own]"))) {
    const pad = find(at, "[data-pad]");
    if (pad) fold(at, pad);
    hint(at);
  }
  place(leaf);
  leaf.classList.add("drawn");
}
form?.addEventListener("counted", refresh);
refresh();
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[href^='#f-']") : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  const at = document.getElementById(link.hash.slice(1))?.closest(".drawn .at");
  if (!(at instanceof HTMLElement)) return;
  event.preventDefault();
  focusIn(at);
});

const ASSETS = "/s/assets/";
const reader = (async () => {
  /** @type {Library} */
  const lib = await import(`${ASSETS}pdf.mjs`);
  lib.GlobalWorkerOptions.workerSrc = `${ASSETS}pdf.worker.mjs`;
  return { lib, worker: new lib.PDFWorker() };
})();
reader.catch(() => {});
/** @type {Map<string, Promise<Pdf>>} */
const files = new Map();
/** @param {string} url */
async function open(url) {
  const { lib, worker } = await reader;
  return lib.getDocument({
    ...{ url, worker, cMapUrl: ASSETS, wasmUrl: ASSETS, iccUrl: ASSETS, standardFontDataUrl: ASSETS },
    ...{ isEvalSupported: false, useSystemFonts: false, enableXfa: false, disableRange: true, verbosity: 0 },
  }).promise;
}

/** @param {Leaf} leaf */
async function draw(leaf) {
  const { pdf = "", number: nth, form: hidesForm, tags } = leaf.dataset;
  const opened = files.get(pdf) ?? open(pdf);
  files.set(pdf, opened);
  const [{ lib }, file] = await Promise.all([reader, opened]);
  const wide = Math.round(need(leaf, ".stage").clientWidth * Math.min(2, devicePixelRatio || 1));
  if (leaf.inked === wide) return;
  leaf.inked = wide;
  leaf.task?.cancel();
  // A document can have more pages than its file. These stay blank.
  if (Number(nth) <= file.numPages) {
    // All files share one page count in pdf.js.
    lib.PagesMapper.instance.pagesNumber = file.numPages;
    const page = await file.getPage(Number(nth));
    if (leaf.inked !== wide) return;
    const whole = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: wide / whole.width });
    place(leaf, whole);
    need(leaf, ".spacer").setAttribute("viewBox", `0 0 ${whole.width} ${whole.height}`);
    const old = inkOf(leaf);
    const ink = /** @type {HTMLCanvasElement} */ (old.cloneNode());
    Object.assign(ink, { width: Math.round(viewport.width), height: Math.round(viewport.height) });
    const { ENABLE, ENABLE_FORMS } = lib.AnnotationMode;
    leaf.task = page.render({ canvas: ink, viewport, annotationMode: hidesForm === undefined ? ENABLE : ENABLE_FORMS });
    try {
      await leaf.task.promise;
    } catch (error) {
      if (error instanceof Error && error.name === "RenderingCancelledException") return;
      throw error;
    }
    const pen = ink.getContext("2d");
    if (tags !== undefined && pen) await blank(page, viewport, pen);
    if (leaf.inked !== wide) return;
    inkOf(leaf).replaceWith(ink);
  }
  leaf.dataset.inked = "";
  announceDrawn();
}

/** @param {Leaf} leaf */
const inkOf = (leaf) => /** @type {HTMLCanvasElement} */ (need(leaf, ".ink"));

/** Runs once: when every sheet in sight is drawn, or when drawing fails. */
let announced = false;
function announceDrawn() {
  if (announced || (doc.dataset.undrawn === undefined && [...near].some((leaf) => leaf.dataset.inked === undefined))) return;
  announced = true;
  dispatchEvent(new Event("drawn"));
}

/** @param {Leaf} leaf */
function clear(leaf) {
  if (leaf.inked === undefined) return;
  leaf.task?.cancel();
  leaf.inked = undefined;
  delete leaf.dataset.inked;
  Object.assign(inkOf(leaf), { width: 0, height: 0 });
}

/** @param {unknown} error */
function giveUp(error) {
  if (doc.dataset.undrawn !== undefined) return;
  console.warn("The pages could not be drawn:", error);
  watch.disconnect();
  resized.disconnect();
  doc.dataset.undrawn = "";
  for (const leaf of leaves) leaf.classList.remove("drawn");
  for (const one of all(doc, ".ink,.pins,.nth,.chosen")) one.remove();
  for (const one of all(doc, ".open,.done")) one.hidden = true;
  const text = t("The pages could not be drawn. This is their text; the original is at the end.");
  doc.prepend(make("p", { className: "undrawn", role: "status" }, text));
  announceDrawn();
}

/** @type {Set<Leaf>} */
const near = new Set();
/** @param {Leaf} leaf */
const drawOrGiveUp = (leaf) => void draw(leaf).catch(giveUp);
const watch = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen) {
      const leaf = /** @type {Leaf} */ (target);
      if (isIntersecting) {
        near.add(leaf);
        drawOrGiveUp(leaf);
      } else {
        near.delete(leaf);
        clear(leaf);
      }
    }
  },
  { rootMargin: "1200px 0px" },
);
for (const leaf of leaves) watch.observe(leaf);
const resized = new ResizeObserver(() => {
  for (const leaf of near) drawOrGiveUp(leaf);
});
resized.observe(doc);
