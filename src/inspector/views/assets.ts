import { PAGE_TOKEN_HEADER } from "../../engine/http/admin-guard.ts";
import { raw } from "../../engine/http/html.ts";

export const STYLE = raw(`
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--ink:#1a2230;--soft:#566174;--line:#dce1e8;--accent:#0b6b4f;--on:#fff;--tint:#e3f1ec;--hover:#f4f6f9;--good:#0b6b4f;--good-bg:#dff3ea;--bad:#a3262b;--bad-bg:#fbe6e6;--busy:#8a4b00;--busy-bg:#fcefd9;--calm:#4a5567;--calm-bg:#e9ecf1}
@media (prefers-color-scheme:dark){:root{--bg:#10141a;--card:#181e27;--ink:#e8ecf2;--soft:#a3aebd;--line:#2d3644;--accent:#5ed3a8;--on:#08251b;--tint:#17322a;--hover:#1e2530;--good:#6fe0b6;--good-bg:#143528;--bad:#ff9c9c;--bad-bg:#3f1c1f;--busy:#f6c274;--busy-bg:#3b2a10;--calm:#b7c1cf;--calm-bg:#28313e}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;min-height:100vh}
a{color:var(--accent)}code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.soft{color:var(--soft);font-size:13px;font-weight:400}.sr,.skip{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{position:fixed;z-index:9;left:8px;top:8px;width:auto;height:auto;clip-path:none;padding:8px 16px;background:var(--card);border-radius:8px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:6px}main:focus{outline:0}
.bar{position:sticky;top:0;z-index:3;display:flex;align-items:center;gap:8px 20px;padding:0 24px;height:56px;background:var(--card);border-bottom:1px solid var(--line)}
.bar a{color:inherit;text-decoration:none;white-space:nowrap}.brand{font-weight:700;font-size:17px;margin-right:auto}.brand span{color:var(--accent)}
.tenant,.tick{border:1px solid var(--line);border-radius:8px;padding:4px 10px;font-size:13px;font-variant-numeric:tabular-nums}.tenant{overflow:hidden;text-overflow:ellipsis}.tenant:hover,.tick:hover{border-color:var(--accent)}
.frame{display:grid;grid-template-columns:200px minmax(0,1fr);max-width:1280px;margin:0 auto}
.nav{padding:20px 0 20px 16px}.nav ul{list-style:none;margin:0;padding:0;position:sticky;top:76px;display:grid;gap:2px}
.nav a{display:flex;justify-content:space-between;gap:8px;padding:7px 12px;border-radius:8px;color:inherit;text-decoration:none}.nav a:hover{background:var(--calm-bg)}.nav a[aria-current]{background:var(--tint);color:var(--accent);font-weight:600}
.count{color:var(--soft);font-weight:400;font-size:13px;font-variant-numeric:tabular-nums}
main{padding:24px;min-width:0}h1{font-size:22px;line-height:1.3;margin:0 0 16px;overflow-wrap:anywhere}.title{display:flex;flex-wrap:wrap;gap:8px;align-items:center}h2{font-size:15px;margin:0 0 12px}h3{font-size:13px;margin:16px 0 6px;color:var(--soft)}
h2.now{font-size:24px;font-variant-numeric:tabular-nums;display:flex;flex-wrap:wrap;gap:8px;align-items:center}.crumbs{display:flex;flex-wrap:wrap;gap:4px 6px;align-items:center;margin:0 0 4px;font-size:13px;color:var(--soft)}
.card,.rows,.empty{background:var(--card);border:1px solid var(--line);border-radius:12px;margin:0 0 16px}.card{padding:16px 20px}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,360px),1fr));gap:16px;align-items:start;margin-bottom:16px}.columns>.card{margin:0;min-width:0}
.rows{list-style:none;padding:0;overflow:hidden}.rows>li+li{border-top:1px solid var(--line)}.rows.flat{border:0;margin:0 -20px -16px;border-radius:0 0 12px 12px;border-top:1px solid var(--line)}
.row,.rows>li>details>summary{display:flex;align-items:center;gap:4px 14px;padding:10px 20px;color:inherit;text-decoration:none;cursor:pointer;min-height:56px}.row:hover,.rows>li>details>summary:hover{background:var(--hover)}.row:focus-visible,.rows>li>details>summary:focus-visible{outline-offset:-3px}
.rows>li>details>summary{list-style:none}.rows>li>details>summary::before{content:"›";color:var(--soft);font-size:18px;width:10px;transition:transform .1s}.rows>li>details[open]>summary::before{transform:rotate(90deg)}.rows>li>details>:not(summary){margin-left:44px;margin-right:20px}.rows>li>details[open]{padding-bottom:16px}.rows>li>details[open]>summary{margin-bottom:8px;border-bottom:1px solid var(--line)}
.what{flex:1;min-width:0;display:grid}.what>*{overflow-wrap:anywhere}.why{color:var(--bad);font-size:13px}.when{min-width:64px;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.badge{display:inline-block;border-radius:999px;padding:1px 10px;font-size:12.5px;font-weight:600;white-space:nowrap;line-height:1.6}
.good{color:var(--good);background:var(--good-bg)}.bad{color:var(--bad);background:var(--bad-bg)}.busy{color:var(--busy);background:var(--busy-bg)}.calm{color:var(--calm);background:var(--calm-bg)}
.path{list-style:none;display:flex;flex-wrap:wrap;gap:6px;margin:0 0 12px;padding:0}.path li+li::before{content:"→";color:var(--soft);margin-right:6px}
.diagram{overflow-x:auto;border-radius:8px;margin:0 0 12px}.diagram svg{display:block;min-width:700px;width:100%;max-width:1000px;font:600 14px system-ui,sans-serif}
.node rect{fill:var(--card);stroke:var(--line);stroke-width:1.5}.node text{fill:var(--soft);text-anchor:middle;font-weight:500}.node.gone rect{fill:var(--tint);stroke:var(--accent)}.node.gone text{fill:var(--ink)}.node.now rect{fill:var(--accent);stroke:var(--accent)}.node.now text{fill:var(--on);font-weight:700}.node.ahead rect{stroke:var(--busy);stroke-dasharray:5 4}.node.ahead text{fill:var(--busy)}
.edge{fill:none;stroke:var(--line);stroke-width:1.5}.tip{fill:var(--line)}.edge.gone{stroke:var(--accent);stroke-width:2.5}.tip.gone{fill:var(--accent)}.edge.ahead{stroke:var(--busy);stroke-dasharray:5 4}.tip.ahead{fill:var(--busy)}
.acts{display:flex;flex-wrap:wrap;gap:8px}html:not(.js) .act{display:none}
.ask{min-width:0}.ask[open]{order:1;flex-basis:100%}.ask>summary{list-style:none}.ask>summary::-webkit-details-marker{display:none}.ask[open]>summary{border-color:var(--accent);background:var(--tint)}.ask.danger>summary{color:var(--bad)}.ask.danger[open]>summary{border-color:var(--bad);background:var(--bad-bg)}
.panel{display:grid;gap:6px;margin-top:8px;padding:14px;border:1px solid var(--line);border-radius:10px;background:var(--bg)}.panel label{font-weight:600;font-size:13px}.panel label:not(:first-child){margin-top:4px}.panel .pair{display:grid;grid-template-columns:1fr 1fr;gap:0 10px}.panel .pair>*{min-width:0}.panel .pair label{grid-row:1;margin:0}.panel button{justify-self:start;margin-top:6px}.panel textarea,.panel input:not([type=checkbox]),.panel select{width:100%;min-height:38px;resize:vertical}.panel .tickbox{display:flex;gap:8px;align-items:center;min-height:36px}.tickbox input{width:18px;height:18px;min-height:0;accent-color:var(--accent)}
button,input,textarea,select,.ask>summary{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:6px 14px;min-height:36px}button,.ask>summary{cursor:pointer;font-weight:500}.ask>summary{display:inline-flex;align-items:center;width:max-content}button:hover,.ask>summary:hover{border-color:var(--accent)}button:disabled{opacity:.6;cursor:progress}button.main{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}button.danger{color:var(--bad)}button.danger:hover{border-color:var(--bad)}
.search{display:flex;gap:8px;margin:0 0 12px}.filters ul{list-style:none;display:flex;flex-wrap:wrap;gap:6px;margin:0 0 16px;padding:0}.filters a{display:block;border:1px solid var(--line);border-radius:999px;padding:2px 12px;background:var(--card);color:inherit;text-decoration:none;font-size:13px}.filters a:hover{border-color:var(--accent)}.filters a[aria-current]{background:var(--tint);border-color:var(--accent);color:var(--accent);font-weight:600}
.copy{min-height:26px;padding:0 10px;font-size:12.5px;line-height:1.8;color:var(--soft)}.call{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center}.acts .copy{min-height:36px}.empty pre{text-align:left;max-width:720px;margin:12px auto}kbd{font:12px ui-monospace,Menlo,monospace;border:1px solid var(--line);border-radius:4px;padding:0 5px;background:var(--card)}html:not(.js) .keys{display:none}.search input[type=search]{flex:1;min-width:0}
.people,.plain,.nexts{list-style:none;margin:0;padding:0;display:grid;gap:10px}.people li{display:flex;flex-wrap:wrap;gap:8px 16px;justify-content:space-between;padding:10px 12px;border:1px solid var(--line);border-radius:10px}.people li>div{min-width:0;overflow-wrap:anywhere}.people li.turn{border-color:var(--busy)}
.nexts li{display:flex;gap:10px;align-items:center;justify-content:space-between}.chips{display:flex;flex-wrap:wrap;gap:6px;margin:0}.chip{border:1px solid var(--line);border-radius:6px;padding:0 8px;font-size:13px}
.due{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center}.due>span:first-child{font-weight:600}.due>a,.due>code{flex:1 1 200px;min-width:0;overflow-wrap:anywhere}.due>button{margin-left:auto}.attempts{margin-bottom:8px}
.facts{margin:0 0 12px;display:grid;grid-template-columns:fit-content(45%) minmax(0,1fr);gap:6px 12px}.facts>div{display:contents}.facts dt{color:var(--soft);overflow-wrap:anywhere;min-width:98px}.facts dd{margin:0;overflow-wrap:anywhere}.facts:last-child{margin:0}.facts .plain{gap:4px}.facts dd>.acts{margin-top:6px}
pre{background:var(--bg);border:1px solid var(--line);border-radius:8px;padding:12px;margin:8px 0;max-height:480px;overflow:auto;white-space:pre-wrap}.text{white-space:pre-line}
.open{display:inline-block;background:var(--accent);color:var(--on);border-radius:8px;padding:7px 16px;text-decoration:none;font-weight:600;margin-right:12px}
.error{background:var(--bad-bg);color:var(--bad);border-radius:8px;padding:8px 14px;overflow-wrap:anywhere}.note{background:var(--busy-bg);color:var(--busy);border-radius:8px;padding:8px 14px}.empty{padding:48px 20px;text-align:center;color:var(--soft)}.empty strong{color:var(--ink);font-size:17px}.empty p{margin:4px auto 0;max-width:620px;overflow-wrap:anywhere}
#result{position:fixed;z-index:5;right:20px;bottom:20px;width:min(440px,calc(100vw - 40px));max-height:60vh;overflow:auto;background:var(--card);border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:12px;box-shadow:0 12px 40px #0004;padding:14px 18px}#result.no{border-left-color:var(--bad)}#result[hidden]{display:none}#result ol{margin:8px 0 0;padding-left:20px;font-size:13px}#result p{margin:4px 0 0;overflow-wrap:anywhere}#result button{float:right;margin-left:8px}
.foot{padding:0 24px 24px;font-size:13px;color:var(--soft);text-align:center}
.bar .find{flex:0 1 280px;min-width:0}.find input{width:100%;min-height:34px}.inside{padding:8px 20px 16px 44px;border-top:1px solid var(--line);display:grid;gap:10px;min-width:0}.inside>*{min-width:0;margin-bottom:0}.opens>.row[aria-expanded=true]{background:var(--hover)}.opens>.row::before{content:"›";color:var(--soft);font-size:18px;width:10px;flex:none}.opens>.row[aria-expanded=true]::before{transform:rotate(90deg)}.row[aria-current]{background:var(--tint)}
.inside .columns{margin:0}.inside .card{background:var(--bg)}.card h3:first-child,.inside h3:first-child{margin-top:0}
.pager{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;margin:0 0 16px}.pager ul{list-style:none;display:flex;gap:6px;margin:0;padding:0}.pager a,.pager li>span{display:block;border:1px solid var(--line);border-radius:8px;padding:4px 12px;background:var(--card);text-decoration:none}
.button{display:inline-flex;align-items:center;min-height:36px;border:1px solid var(--line);border-radius:8px;padding:5px 14px;background:var(--card);color:inherit;text-decoration:none;font-weight:500}.button:hover{border-color:var(--accent)}
.document{display:grid;grid-template-columns:minmax(0,1fr) minmax(320px,400px);gap:24px;align-items:start}.what-happened{min-width:0}.beside{display:grid;gap:16px;min-width:0}.beside .card{margin:0;min-width:0}.beside .people li{flex-direction:column}
.timeline{position:relative}.timeline>li{border:0!important;position:relative}.timeline>.opens>.row{padding:6px 16px;min-height:44px;gap:4px 12px}.timeline>.opens>.row::before{display:none}.at{flex:none;width:64px;display:grid;line-height:1.25;font-size:13px;font-variant-numeric:tabular-nums}.at .soft{font-size:11.5px}.dot{flex:none;width:11px;height:11px;border-radius:50%;background:var(--soft);position:relative;z-index:1;box-shadow:0 0 0 3px var(--card)}.timeline>.opens::before,.gap::before{content:"";position:absolute;left:97px;top:0;bottom:0;width:1px;background:var(--line)}
.timeline>.t-call>.row>.dot{background:var(--calm);border-radius:2px}.timeline>.t-status>.row>.dot{background:var(--accent);width:15px;height:15px;margin:0 -2px}.timeline>.t-act>.row>.dot{background:var(--busy)}.timeline>.t-bad>.row>.dot{background:var(--bad)}.timeline>.t-due>.row>.dot{background:var(--card);border:2px solid var(--soft)}.timeline .inside{margin-left:97px;padding-left:20px;border-top:0}.gap{padding:2px 16px 2px 120px;font-size:12.5px;color:var(--soft)}.gap.now{color:var(--accent);font-weight:700;text-transform:uppercase;letter-spacing:.06em}
.steps{list-style:none;display:flex;flex-wrap:wrap;gap:8px 18px;margin:0;padding:0}.steps li{display:flex;flex-wrap:wrap;gap:6px;align-items:center}.steps li:has(details[open]){flex-basis:100%}.to{color:var(--soft)}
.json{font:13px/1.6 ui-monospace,SFMono-Regular,Menlo,monospace;background:var(--bg);border:1px solid var(--line);border-radius:8px;padding:10px 12px;max-height:480px;overflow:auto;overflow-wrap:anywhere}.json ul{list-style:none;margin:0;padding:0 0 0 18px;border-left:1px solid var(--line)}.json summary{display:inline;list-style:none;cursor:pointer;padding:0;min-height:0;border:0;margin:0}.json summary::before{content:"▸ ";color:var(--soft)}.json details[open]>summary::before{content:"▾ "}.json details[open]>summary .soft{display:none}.json details{display:inline}.j-name{color:var(--accent)}.j-string{color:var(--busy)}.j-number,.j-boolean{color:var(--good);font-weight:600}.j-null{color:var(--soft)}
.wide{overflow-x:auto;position:relative}.table,.blocks table{border-collapse:collapse;width:100%;font-size:14px}.table th,.table td,.blocks th,.blocks td{text-align:left;padding:6px 10px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}.table th,.blocks th{color:var(--soft);font-weight:500;font-size:13px}.table td:last-child{text-align:right}.table tr:last-child td{border-bottom:0}.table tr:has(button) td{vertical-align:middle}.table time,.table button{white-space:nowrap}.beside .table td:last-child{text-align:left;overflow-wrap:anywhere}.blocks .number{text-align:right}.blocks dl{display:grid;gap:4px;margin:8px 0}.blocks dl div{display:flex;justify-content:space-between;gap:12px}.blocks dd{margin:0}.blocks h2,.blocks h3{font-size:14px}
.split{display:grid;grid-template-columns:minmax(260px,2fr) minmax(0,3fr);gap:16px;align-items:start}.split .preview{position:sticky;top:76px;margin:0}
.inline{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-top:12px}.good-note{color:var(--good)}.unmet{margin:0 0 12px;padding-left:20px;font-size:14px}.unmet li+li{margin-top:6px}
dialog{border:1px solid var(--line);border-radius:12px;background:var(--card);color:inherit;padding:16px 20px;max-width:calc(100vw - 32px)}dialog::backdrop{background:#0008}dialog form{display:flex;justify-content:space-between;align-items:center;gap:16px;margin-bottom:12px}#preview{width:min(900px,calc(100vw - 32px))}#preview iframe{width:100%;height:75vh;border:1px solid var(--line);border-radius:8px;background:#fff}#help{width:min(520px,calc(100vw - 32px))}
.inner{margin:0 0 16px}.card>details{margin-bottom:8px}.card>p:first-child{margin-top:0}.acts+.ask,.acts+.acts{margin-top:8px}.landing{width:100%;max-width:1280px;margin:0 auto}.rows+.alone,.alone{margin:0 0 24px}.frame.whole{grid-template-columns:minmax(0,1fr)}.split .back{display:none;margin:0 0 8px}.split .preview h2{font-size:19px;line-height:1.35}.split .open{padding:10px 22px;margin:0}.split .filters ul{margin:16px 0 8px}.letter-row{align-items:flex-start}.letter-row .side{display:grid;justify-items:end;gap:4px}.letter-row .what>span:not(.soft){font-size:14px}.letter{border:1px solid var(--line);border-top:3px solid var(--accent);border-radius:4px 4px 10px 10px;background:var(--card);padding:20px 22px;font-size:16px}.letter p{margin:0}.letter p+p{margin-top:10px;overflow-wrap:anywhere}.acts.middle{justify-content:center;margin-top:16px}
@media (min-width:1500px){.frame{max-width:1560px}.document{grid-template-columns:minmax(0,1fr) 460px}}
@media (max-width:1080px){.document{grid-template-columns:minmax(0,1fr)}.frame:not(.whole) .letter-row .badge{display:none}}
@media (max-width:860px){.split{grid-template-columns:minmax(0,1fr)}.split>.preview{position:static}.split:not(.chosen)>.preview,.split.chosen>.list{display:none}.split .back{display:block}.split:not(.chosen) .row[aria-current]{background:none}.frame{grid-template-columns:minmax(0,1fr)}.nav{padding:8px 12px;overflow-x:auto;border-bottom:1px solid var(--line);background:var(--card)}.nav ul{position:static;display:flex;width:max-content}.nav a{padding:7px 10px;gap:6px}main{padding:20px 16px}.keys{display:none}.filters{overflow-x:auto}.filters ul{flex-wrap:nowrap;width:max-content}.filters a{padding:6px 14px;white-space:nowrap}}
@media (max-width:560px){.bar .tenant,.letter-row .badge{display:none}.bar .find{flex:1 1 64px}.bar:has(.find,time) .brand{font-size:0}.bar:has(.find,time) .brand span{font-size:17px}.opens>.row{position:relative;padding-left:38px}.opens>.row::before{position:absolute;left:14px;top:10px}.bar .tick:last-child{min-width:0;overflow:hidden;text-overflow:ellipsis}.row.letter-row{flex-wrap:nowrap}.letter-row .what{flex-basis:0}.inside{padding:8px 14px 14px}.timeline>.opens>.row{padding:6px 10px;flex-wrap:nowrap}.timeline .what{flex-basis:0}.timeline .row .badge{margin-left:0}.timeline>.opens::before,.gap::before{left:79px}.at{width:52px}.timeline .inside{margin-left:0;padding-left:14px;background:var(--card);position:relative}.gap{padding-left:100px}.bar{padding:0 16px;gap:8px}.bar .soft{display:none}.brand{font-size:15px}.row,.rows>li>details>summary{flex-wrap:wrap;padding:10px 14px}.what{flex-basis:calc(100% - 64px)}.row .badge,.rows>li>details>summary .badge{order:2}.when{order:2;text-align:left}.rows>li>details>summary .badge{margin-left:24px}.rows>li>details>:not(summary){margin-left:14px;margin-right:14px}.card{padding:14px}.rows.flat{margin:0 -14px -14px}.facts dt{min-width:84px}button.act,.ask>summary,.panel button,.panel textarea,.panel input:not([type=checkbox]),.panel select{min-height:44px}button.copy{min-height:34px}.stack,.stack tbody,.stack tr,.stack td{display:block}.stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.stack tr{padding:10px 0;border-bottom:1px solid var(--line)}.stack tr:last-child{border-bottom:0}.table.stack td{border:0;padding:1px 0;text-align:left}.table.stack td:last-child{padding-top:6px}#result{right:12px;bottom:12px;width:calc(100vw - 24px)}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}`);

export const SCRIPT = raw(`
(() => {
  const $ = (id) => document.getElementById(id);
  const state = JSON.parse($("state").textContent);
  const headers = { "${PAGE_TOKEN_HEADER}": state.pageToken, ...(state.tenant ? { authorization: "API-Key " + state.tenant } : {}), ...(state.token ? { "x-docdouble-admin-token": state.token } : {}) };
  const isSeen = (one) => { const now = one.querySelector("[aria-current],.node.now"); if (now) one.scrollLeft += now.getBoundingClientRect().left + now.getBoundingClientRect().width / 2 - one.getBoundingClientRect().left - one.clientWidth / 2; };
  document.querySelectorAll("[data-scroll]").forEach(isSeen);
  let last = null, isBusy = false, isWanted = false, isStreaming = false;
  document.documentElement.classList.add("js");

  const keyOf = (one) => one && (one.id || (one.tagName === "SUMMARY" ? one.parentNode.id + "/" : "") || one.getAttribute("href") || (one.dataset.call ? one.dataset.call + one.dataset.body : ""));
  const isInUse = () => (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) && $("live").contains(document.activeElement)) || (getSelection() && !getSelection().isCollapsed);

  function put(fresh) {
    const live = $("live"), focus = live.contains(document.activeElement) ? keyOf(document.activeElement) : null;
    const open = new Map([...live.querySelectorAll("details[id]")].map((one) => [one.id, one.open]));
    const scrolls = new Map([...live.querySelectorAll("[data-scroll]")].map((one) => [one.id, one.scrollLeft]));
    const top = [...live.querySelectorAll(".rows>li")].find((one) => one.firstElementChild && one.getBoundingClientRect().bottom > 60), from = scrollY > 0 && top ? { key: keyOf(top.firstElementChild), y: top.getBoundingClientRect().top } : null;
    const texts = new Map([...live.querySelectorAll("pre,.json")].map((one) => [one.getAttribute("aria-label"), one.scrollTop]));
    const words = [...live.querySelectorAll(".panel [name]")].filter((one) => one.type === "checkbox" ? one.checked !== one.defaultChecked : one.value !== one.defaultValue);
    live.replaceChildren(...fresh.childNodes);
    for (const one of words) { const now = $(one.id); if (now) { now.value = one.value; now.checked = one.checked; } }
    for (const one of live.querySelectorAll("details[id]")) if (open.has(one.id)) one.open = open.get(one.id);
    for (const one of live.querySelectorAll("[data-scroll]")) one.scrollLeft = scrolls.get(one.id) || 0;
    for (const one of live.querySelectorAll("pre,.json")) one.scrollTop = texts.get(one.getAttribute("aria-label")) || 0;
    const same = from && from.key && [...live.querySelectorAll(".rows>li")].find((one) => one.firstElementChild && keyOf(one.firstElementChild) === from.key);
    if (same) scrollBy(0, same.getBoundingClientRect().top - from.y);
    if (!focus) return;
    const again = [...live.querySelectorAll("a,button,summary,[tabindex]")].find((one) => keyOf(one) === focus);
    (again || $("main")).focus({ preventScroll: true });
  }

  async function refresh(isForced) {
    if (isBusy) { isWanted = isForced ? "forced" : isWanted || true; return; }
    isBusy = true;
    try {
      const answer = await fetch(location.href, { headers, cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("live"), now = page.getElementById("state");
      // A restarted server has another token.
      if (now) headers["${PAGE_TOKEN_HEADER}"] = JSON.parse(now.textContent).pageToken;
      if (fresh && fresh.innerHTML !== last && (isForced || !isInUse())) { last = fresh.innerHTML; put(fresh); document.title = page.title; }
      tell(isStreaming ? "live" : "refreshes every 2 s");
    } catch { tell("the server does not answer"); }
    isBusy = false;
    if (isWanted) { const isNextForced = isWanted === "forced"; isWanted = false; await refresh(isNextForced); }
  }
  function tell(text) { if ($("link-state").textContent !== text + " ·") $("link-state").textContent = text + " ·"; }

  function say(title, lines, isBad) {
    const box = $("result"), close = document.createElement("button"), head = document.createElement("strong"), list = document.createElement("ol");
    close.textContent = "Close"; close.onclick = () => { box.hidden = true; $("main").focus({ preventScroll: true }); };
    head.textContent = title;
    for (const line of lines) { const item = document.createElement("li"); item.textContent = line; list.append(item); }
    box.className = isBad ? "no" : ""; box.replaceChildren(close, head, ...(lines.length ? [list] : [])); box.hidden = false;
  }

  const clock = (text) => text.slice(0, 19).replace("T", " ");
  function receipt(label, status, body) {
    if (status >= 400) {
      const detail = typeof body.detail === "string" ? body.detail : JSON.stringify(body.detail || body);
      return say(label + ": refused with " + status, [detail, ...(body.why ? [body.why] : []), ...(body.unmet || []).map((one) => JSON.stringify(one))], true);
    }
    if (body.fired) return say(clock(body.from) + " → " + clock(body.to), body.fired.length + body.deliveries.length === 0 ? ["Nothing fell due."] : [...body.fired.map(({ at, kind, refused, ...rest }) => clock(at) + " " + kind.replaceAll("_", " ") + " " + Object.values(rest).map((one) => typeof one === "string" ? one : JSON.stringify(one)).join(" ") + (refused ? " – refused: " + refused : "")), ...body.deliveries.map((one) => one.event + " to " + one.subscription_name + ": " + one.state)]);
    say(label + ": done", body.status ? ["now " + body.status] : []);
  }

  async function send(button, label, call, body) {
    const [method, path] = call.split(" ");
    button.disabled = true;
    let isDone = false;
    try {
      const answer = await fetch(path, { method, headers: { ...headers, "content-type": "application/json" }, ...(body === "null" ? {} : { body }) });
      const text = await answer.text();
      isDone = answer.ok;
      receipt(label, answer.status, text ? JSON.parse(text) : {});
    } catch (error) { say(label + ": failed", [String(error)], true); }
    button.disabled = false;
    return isDone;
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest && event.target.closest("button[data-call]");
    if (!button) return;
    await send(button, button.textContent.trim(), button.dataset.call, button.dataset.body);
    button.focus({ preventScroll: true });
    await refresh();
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target, button = event.submitter || form.querySelector("button");
    if (!form.dataset.call) return;
    event.preventDefault();
    const body = JSON.parse(form.dataset.body);
    for (const one of form.elements) {
      if (!one.name || form.dataset.raw || (one.type === "checkbox" ? one.checked === one.defaultChecked : one.value === "")) continue;
      const names = one.name.split("."), last = names.pop();
      let part = body;
      for (const name of names) part = part[name] ??= {};
      part[last] = one.type === "checkbox" ? one.checked : one.type === "number" ? Number(one.value) : one.dataset.json === undefined ? one.value : { ...part[last], ...JSON.parse(one.value) };
    }
    const panel = form.closest("details"), isDone = await send(button, form.dataset.label, form.dataset.call, form.dataset.raw ? form.elements[form.dataset.raw].value : JSON.stringify(body));
    (isDone && panel ? panel.querySelector("summary") : button).focus({ preventScroll: true });
    if (isDone) { form.reset(); if (panel) panel.open = false; }
    await refresh();
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest && event.target.closest("button[data-copy]");
    if (!button) return;
    const word = button.firstChild, label = word.textContent, text = button.dataset.copy;
    // Only https and loopback pages have a clipboard. Elsewhere, the text is shown.
    try { await navigator.clipboard.writeText(text); word.textContent = "Copied"; setTimeout(() => { word.textContent = label; }, 1500); } catch { say("Copy it from here", [text]); }
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[data-open]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    history.replaceState(null, "", link.href);
    refresh(true);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("button[data-preview]");
    if (!button) return;
    const frame = document.createElement("iframe");
    frame.title = $("preview-title").textContent = button.dataset.title;
    frame.src = button.dataset.preview + (state.tenant ? "?tenant=" + encodeURIComponent(state.tenant) : "");
    $("preview-frame").replaceChildren(frame);
    $("preview").showModal();
  });
  const PLACES = { d: "documents", c: "clock", j: "journal", w: "deliveries", m: "mails", r: "rules", s: "scenarios" };
  let isGoing = false;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName), search = $("q");
    if (event.key === "Escape") { $("result").hidden = true; if (isTyping) event.target.blur(); }
    if (isTyping) return;
    if (document.querySelector("dialog[open]")) return;
    const place = isGoing && PLACES[event.key];
    isGoing = event.key === "g";
    if (place) { const way = [...document.querySelectorAll("#nav a")].find((one) => new URL(one.href).searchParams.get("view") === place); if (way) location.assign(way.href); return; }
    if (event.key === "?") { $("help").showModal(); return; }
    if (event.key === "s") { event.preventDefault(); ($("find") || search).focus(); return; }
    if (event.key === "n") { send({}, "Skip to the next job", "POST /__admin/clock/advance", '{"until":"next"}').then(() => refresh()); return; }
    if (event.key === "[" || event.key === "]") { const page = document.querySelector('.pager a[rel="' + (event.key === "[" ? "prev" : "next") + '"]'); if (page) location.assign(page.href); return; }
    if (event.key === "/" && !search) { event.preventDefault(); $("find").focus(); return; }
    if (event.key === "/" && search) { event.preventDefault(); search.focus(); search.select(); }
    if (event.key !== "j" && event.key !== "k") return;
    const rows = [...document.querySelectorAll("main .rows>li>a")], at = rows.indexOf(document.activeElement);
    const next = rows[event.key === "j" ? at + 1 : Math.max(at - 1, 0)];
    if (next) next.focus();
  });

  async function listen() {
    try {
      const answer = await fetch("/__admin/events", { headers: { ...headers, accept: "text/event-stream" } });
      if (!answer.ok) return;
      isStreaming = true; refresh();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) if (/^(data|event):/m.test(part.value)) refresh();
    } catch {}
    isStreaming = false;
    setTimeout(listen, 5000);
  }
  listen();
  let ticks = 0;
  setInterval(() => { if (!document.hidden && (!isStreaming || ++ticks % 2 === 0)) refresh(); }, 2000);
})();`);
