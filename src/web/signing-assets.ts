/** The signing page's style and script. Both are text of the page itself: no build step, nothing to fetch. */
import { raw } from "./html.ts";

export const STYLE = raw(`
:root{color-scheme:light dark;--bg:#eef1f5;--paper:#fff;--ink:#17202b;--soft:#525d6d;--line:#d3dae3;--field:#f3f9f6;--edge:#8a97a8;
--accent:#0a6b52;--on:#fff;--accent-soft:#dff1ea;--wrong:#b3261e;--wrong-soft:#fdeceb;--note:#e8eefb;--shadow:0 1px 2px rgb(16 24 40/.06),0 8px 28px rgb(16 24 40/.07)}
@media (prefers-color-scheme:dark){:root{--bg:#0f1319;--paper:#171d26;--ink:#e9edf3;--soft:#a9b3c2;--line:#2e3846;--field:#14231f;--edge:#64748b;
--accent:#5fd6ae;--on:#06231a;--accent-soft:#15392f;--wrong:#ff9d93;--wrong-soft:#3b1c1a;--note:#1b2740;--shadow:none}}
*,::before,::after{box-sizing:border-box}
html{scroll-padding:5rem 0 8rem}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:break-word}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}h1,h2,h3,p{margin:0}
.skip{position:absolute;left:-999px;top:0;background:var(--paper);padding:.5rem 1rem;z-index:9}.skip:focus{left:.5rem;top:.5rem}
.top{background:var(--paper);border-bottom:1px solid var(--line)}
.top>div{max-width:54rem;margin:0 auto;padding:1rem 1.25rem;display:flex;gap:.5rem 1.5rem;align-items:center;justify-content:space-between;flex-wrap:wrap}
.top h1{font-size:1.25rem;line-height:1.3;letter-spacing:-.01em}.top p{color:var(--soft);font-size:.9rem}
.badge{border-radius:2rem;padding:.2rem .8rem;font-size:.85rem;font-weight:600;background:var(--accent-soft);color:var(--accent);white-space:nowrap}
.badge.ended{background:var(--wrong-soft);color:var(--wrong)}
main{flex:1;width:100%;max-width:54rem;margin:0 auto;padding:1.25rem}
.banner{border-radius:.75rem;padding:.9rem 1.1rem;margin-bottom:1.25rem;background:var(--note);border:1px solid var(--line)}
#live:not(:empty){border:1px solid var(--wrong);background:var(--wrong-soft);border-radius:.75rem;padding:.7rem 1.1rem;margin-bottom:1.25rem;font-weight:600}.banner h2{font-size:1rem}.banner.good{background:var(--accent-soft)}.banner.bad{background:var(--wrong-soft);border-color:var(--wrong)}.banner ul{margin:.35rem 0 0;padding-left:1.2rem}.banner.bad a{color:inherit}
.sheet{background:var(--paper);border:1px solid var(--line);border-radius:.9rem;box-shadow:var(--shadow);padding:clamp(1.25rem,5vw,3.25rem)}
.sheet>*+*{margin-top:1rem}.sheet h2{font-size:1.35rem;line-height:1.3}.sheet h3{font-size:1.08rem}.sheet>h2:not(:first-child),.sheet>h3:not(:first-child){margin-top:1.75rem}
.sheet ul,.sheet ol{padding-left:1.4rem}
table{width:100%;border-collapse:collapse;font-size:.95rem}th,td{text-align:left;padding:.6rem .75rem .6rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-size:.8rem;font-weight:600;text-transform:uppercase;letter-spacing:.04em}.number{font-variant-numeric:tabular-nums;white-space:nowrap;text-align:right}th:last-child,td:last-child{padding-right:0}
.sums{margin-left:auto;max-width:20rem}.sums div{display:flex;justify-content:space-between;gap:1rem;padding:.2rem 0}.sums dt{color:var(--soft)}.sums dd{margin:0;font-variant-numeric:tabular-nums}.sums div:last-child{font-weight:700;border-top:1px solid var(--line);margin-top:.3rem;padding-top:.5rem}.sums div:last-child dt{color:inherit}
.page{border-top:1px solid var(--line);margin-top:2rem;padding-top:1.5rem;display:grid;gap:1.1rem}.page:first-child{border:0;margin:0;padding:0}.page h2{font-size:1.08rem}
.field{border:1px solid var(--line);border-left:4px solid var(--accent);background:var(--field);border-radius:.6rem;padding:.8rem 1rem;margin:0;min-width:0;display:grid;grid-template-columns:minmax(0,1fr);gap:.45rem}
.field legend{float:left;width:100%;padding:0}.field legend+*{clear:both}
.field label,.field legend,.label{font-weight:600;font-size:.95rem}.required,.optional,.who{font-weight:400;font-size:.82rem;color:var(--soft);margin-left:.35rem}
.field.wrong{border-color:var(--wrong);background:var(--wrong-soft)}.error{color:var(--wrong);font-weight:600;font-size:.9rem}
.field.read{border-left-color:var(--line);background:transparent;grid-template-columns:1fr auto;gap:.1rem 1rem}.read .value{grid-column:1;white-space:pre-line}.read .who{grid-row:1;grid-column:2;margin:0}.empty{color:var(--soft)}
input,select,textarea,button{font:inherit;color:inherit}
input:not([type=checkbox],[type=radio],[type=file],[type=hidden]),select,textarea{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--paper)}
input[type=file]{max-width:100%;min-height:2.75rem;padding:.5rem 0}
[aria-invalid=true]{border-color:var(--wrong)!important}
.check{display:flex;gap:.7rem;align-items:center;min-height:2.5rem;font-weight:400!important;cursor:pointer}.check>span{font-weight:500}.check input{width:1.35rem;height:1.35rem;flex:none;accent-color:var(--accent);margin:0}
.typed,.script{font-family:"Snell Roundhand","Segoe Script","Bradley Hand","URW Chancery L","Apple Chancery",cursive;font-size:1.55rem!important;font-style:italic}
.pad{display:grid;grid-template-columns:minmax(0,1fr);gap:.6rem}.pad label{display:block;font-weight:400;font-size:.85rem;color:var(--soft);margin-bottom:.2rem}.tabs{display:inline-flex;border:1px solid var(--edge);border-radius:.5rem;overflow:hidden;width:max-content}.tabs[hidden]{display:none}
.tabs button{border:0;background:var(--paper);padding:.4rem 1.1rem;min-height:2.5rem;cursor:pointer}.tabs button:focus-visible{outline-offset:-4px}.tabs button[aria-pressed=true]{background:var(--accent);color:var(--on);font-weight:600}.tabs button[aria-pressed=true]:focus-visible{outline-color:var(--on)}
canvas{display:block;width:100%;max-width:37.5rem;aspect-ratio:10/3;background:#fff;border:1px dashed var(--edge);border-radius:.5rem;touch-action:none;cursor:crosshair}
.mark{display:block;max-width:min(100%,18rem);max-height:6rem;background:#fff;border-radius:.4rem}.kept{font-size:.9rem}
.btn{border:1px solid transparent;border-radius:.6rem;min-height:2.9rem;padding:.55rem 1.4rem;font-weight:650;background:var(--accent);color:var(--on);cursor:pointer}.btn:hover{filter:brightness(1.08)}
.btn.second{background:var(--paper);color:var(--ink);border-color:var(--edge)}.btn.danger{background:var(--wrong);color:var(--paper)}.plain{border:0;background:none;color:var(--accent);text-decoration:underline;padding:.4rem 0;cursor:pointer;justify-self:start;min-height:2.5rem}
.dock{position:sticky;bottom:.75rem;z-index:3;margin:1.25rem 0 0;padding:.8rem 1.25rem;background:var(--paper);border:1px solid var(--line);border-radius:.9rem;box-shadow:0 6px 24px rgb(16 24 40/.14);display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:center;justify-content:flex-end}
.dock p{flex:1 1 12rem;color:var(--soft);font-size:.9rem}.dock .btn{flex:none}
.more{margin-top:1.5rem;display:grid;gap:.6rem}.more details{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;padding:0 1.1rem}.more summary{cursor:pointer;padding:.75rem 0;font-weight:600}.more form,.card form{display:grid;gap:.75rem;padding-bottom:1.1rem}.more label,.card label{font-weight:600;font-size:.95rem}.more .two{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}.more .btn,.card .btn{justify-self:start}
.comments{list-style:none;margin:0 0 .75rem;padding:0;display:grid;gap:.6rem}.comments li{border-left:3px solid var(--line);padding-left:.75rem}.comments p{white-space:pre-line}.comments .who{margin:0}
.card{background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:var(--shadow);max-width:30rem;margin:8vh auto 0;padding:clamp(1.5rem,6vw,2.5rem);display:grid;gap:1rem}.card h1,.card h2{font-size:1.35rem;line-height:1.3}.card p{color:var(--soft)}.card form{padding:0}.card .error{color:var(--wrong)}
.sign{width:3rem;height:3rem;border-radius:50%;display:grid;place-items:center;font-size:1.4rem;font-weight:700;background:var(--accent-soft);color:var(--accent)}.sign.bad{background:var(--wrong-soft);color:var(--wrong)}
.pay{margin:0 0 1.25rem;max-width:none}.pay form{display:flex;flex-wrap:wrap}
.foot{max-width:54rem;width:100%;margin:0 auto;padding:1.5rem 1.25rem;color:var(--soft);font-size:.82rem}
@media (max-width:34rem){main{padding:.75rem}.top>div{padding:.8rem 1rem}.dock{bottom:0;margin-inline:-.75rem;padding:.7rem .75rem calc(.7rem + env(safe-area-inset-bottom));border-width:1px 0 0;border-radius:0;box-shadow:none}.dock p{flex-basis:100%}.dock .btn{flex:1 1 0}.more .two{grid-template-columns:1fr}
table,tbody,tr,td{display:block;width:100%}thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}tr{border:1px solid var(--line);border-radius:.6rem;padding:.5rem .8rem;margin-bottom:.6rem}
td{border:0;padding:.15rem 0;display:flex;justify-content:space-between;gap:1rem;text-align:right}td::before{content:attr(data-column);color:var(--soft);font-size:.85rem;text-align:left}td::before{flex:none}td:empty{display:none}td:not(.number,:first-child){flex-direction:column;gap:0;text-align:left}td:first-child{font-weight:600}td:first-child::before{content:none}.sums{max-width:none}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{.dock,.more,.foot{display:none}.sheet{box-shadow:none;border:0}}
`);

/**
 * What a script adds: the three messages to the embedding page, drawing, the count of what is left, a check before
 * finishing. Without it the page still does everything but drawing and messages.
 */
export const SCRIPT = raw(`
(() => {
  const state = JSON.parse(document.getElementById("state").textContent);
  const embedded = window.parent !== window;
  if (embedded && state.message) window.parent.postMessage(state.message, "*");
  for (const input of document.querySelectorAll("input[name=embedded]")) input.value = embedded ? "1" : "";
  document.querySelector("[data-focus]")?.focus();
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
  const wanted = [...form.querySelectorAll("[data-required]")];
  function count() {
    const done = wanted.filter(isFilled).length;
    const progress = document.getElementById("progress");
    if (progress) progress.textContent = done === wanted.length ? "Everything that is required is filled in." : done + " of " + wanted.length + " required fields filled in.";
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
    for (const field of wanted) say(field, missing.includes(field) ? "This field is required." : "");
    if (missing.length === 0) return;
    event.preventDefault();
    const live = document.getElementById("live");
    live.textContent = missing.length === 1 ? "One required field is empty." : missing.length + " required fields are empty.";
    [...missing[0].querySelectorAll("input:not([type=hidden]),select,textarea,button")].find((one) => one.offsetParent !== null)?.focus();
  });
  for (const pad of form.querySelectorAll("[data-pad]")) pad.show(pad.querySelector("[data-way]").value);
  count();
})();
`);
