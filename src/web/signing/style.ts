import { raw } from "../html.ts";

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
.top>div{max-width:54rem;margin:0 auto;padding:1rem 1.25rem;display:flex;gap:.5rem 1.5rem;align-items:center;justify-content:space-between}.top>div>div{min-width:0}.top .badge{flex:none}
.top h1{font-size:1.25rem;line-height:1.3;letter-spacing:-.01em}.top p{color:var(--soft);font-size:.9rem}
.badge{border-radius:2rem;padding:.2rem .8rem;font-size:.85rem;font-weight:600;background:var(--accent-soft);color:var(--accent);white-space:nowrap}
.badge.ended{background:var(--wrong-soft);color:var(--wrong)}
main{flex:1;width:100%;max-width:54rem;margin:0 auto;padding:1.25rem}
.banner{border-radius:.75rem;padding:.9rem 1.1rem;margin-bottom:1.25rem;background:var(--note);border:1px solid var(--line)}
#live:not(:empty){border:1px solid var(--wrong);background:var(--wrong-soft);border-radius:.75rem;padding:.7rem 1.1rem;margin-bottom:1.25rem;font-weight:600}.banner h2{font-size:1rem}.banner.good{background:var(--accent-soft)}.banner.bad{background:var(--wrong-soft);border-color:var(--wrong)}.banner ul{margin:.35rem 0 0;padding-left:1.2rem}.banner.bad a{color:inherit}
.doc{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem}
.folio{font-size:.8rem;font-weight:500;color:var(--soft);text-align:center;margin-bottom:.5rem}
.stage{color-scheme:light;--paper:#fff;--ink:#17202b;--soft:#525d6d;--line:#d3dae3;--field:#f3f9f6;--edge:#8a97a8;--accent:#0a6b52;--on:#fff;--accent-soft:#dff1ea;--wrong:#b3261e;--wrong-soft:#fdeceb;
background:#fff;color:var(--ink);border-radius:.3rem;box-shadow:var(--shadow),0 0 0 1px rgb(16 24 40/.08);position:relative;display:grid;grid-template-columns:minmax(0,1fr);grid-template-rows:auto 1fr;container-type:inline-size}
.spacer{grid-area:1/1/3/2;display:none;width:100%;height:auto}
.words{grid-area:1/1;padding:clamp(1.25rem,8cqw,4.5rem);padding-bottom:0}.words:last-child{padding-bottom:clamp(1.25rem,8cqw,4.5rem)}.fields{grid-area:2/1;align-self:start;padding:clamp(1.25rem,5cqw,2.5rem) clamp(1.25rem,8cqw,4.5rem) clamp(1.25rem,8cqw,4.5rem);display:grid;grid-template-columns:minmax(0,1fr);gap:1.1rem}
.spacer+.fields{padding-top:clamp(1.25rem,8cqw,4.5rem)}
.words>*+*{margin-top:1rem}.words>:first-child{margin-top:0}.words h2{font-size:1.5rem;line-height:1.25;letter-spacing:-.01em}.words h3{font-size:1.1rem}.words>h2:not(:first-child),.words>h3:not(:first-child){margin-top:1.75rem}
.words p{white-space:pre-line}.words ul,.words ol{padding-left:1.4rem}
.image{margin-inline:0}.image img{display:block;max-width:100%;max-height:24rem}.image.none span{display:inline-block;border:1px dashed var(--edge);border-radius:.4rem;padding:.9rem 1.1rem;color:var(--soft);font-size:.9rem}
.original{text-align:center;font-size:.9rem}.original a,.undrawn a{color:inherit}.original{color:var(--soft)}.undrawn{border:1px solid var(--line);border-radius:.75rem;padding:.7rem 1.1rem;background:var(--note)}
table{width:100%;border-collapse:collapse;font-size:.95rem}th,td{text-align:left;padding:.6rem .75rem .6rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-size:.8rem;font-weight:600;text-transform:uppercase;letter-spacing:.04em}.number{font-variant-numeric:tabular-nums;white-space:nowrap;text-align:right}th:last-child,td:last-child{padding-right:0}
.sums{margin-left:auto;max-width:20rem}.sums div{display:flex;justify-content:space-between;gap:1rem;padding:.2rem 0}.sums dt{color:var(--soft)}.sums dd{margin:0;font-variant-numeric:tabular-nums}.sums div:last-child{font-weight:700;border-top:1px solid var(--line);margin-top:.3rem;padding-top:.5rem}.sums div:last-child dt{color:inherit}
.field{border:1px solid var(--line);border-left:4px solid var(--accent);background:var(--field);border-radius:.6rem;padding:.8rem 1rem;margin:0;min-width:0;display:grid;grid-template-columns:minmax(0,1fr);gap:.45rem}
.field legend{float:left;width:100%;padding:0}.field legend+*{clear:both}
.field label,.field legend,.label{font-weight:600;font-size:.95rem}.required,.optional,.who{font-weight:400;font-size:.82rem;color:var(--soft);margin-left:.35rem}
.field:not([data-required]){border-left-color:var(--edge)}.field.wrong{border-color:var(--wrong);background:var(--wrong-soft)}.error{color:var(--wrong);font-weight:600;font-size:.9rem}
.field.field.read{border-left-color:var(--line);background:transparent;grid-template-columns:1fr auto;gap:.1rem 1rem}.read .value{grid-column:1;white-space:pre-line}.read .who{grid-row:1;grid-column:2;margin:0}.empty{color:var(--soft)}
input,select,textarea,button{font:inherit;color:inherit}
input:not([type=checkbox],[type=radio],[type=file],[type=hidden]),select,textarea{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--paper)}
input[type=file]{max-width:100%;min-height:2.75rem;padding:.5rem 0;color:var(--soft);font-size:.95rem}::file-selector-button{font:inherit;font-weight:600;margin-right:.8rem;padding:.4rem 1rem;min-height:2.5rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--paper);color:var(--ink);cursor:pointer}
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
.dock p{flex:1 1 12rem;color:var(--soft);font-size:.9rem}.dock .btn{flex:none;white-space:nowrap}
.more{margin-top:1.5rem;display:grid;gap:.6rem}.more details{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;padding:0 1.1rem}.more summary{cursor:pointer;padding:.75rem 0;font-weight:600}.more form,.card form{display:grid;gap:.75rem;padding-bottom:1.1rem}.more label,.card label{font-weight:600;font-size:.95rem}.more .two{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}.more .btn,.card .btn{justify-self:start}
.comments{list-style:none;margin:0 0 .75rem;padding:0;display:grid;gap:.6rem}.comments li{border-left:3px solid var(--line);padding-left:.75rem}.comments p{white-space:pre-line}.comments .who{margin:0}
.card{background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:var(--shadow);max-width:30rem;margin:8vh auto 0;padding:clamp(1.5rem,6vw,2.5rem);display:grid;gap:1rem}.card h1,.card h2{font-size:1.35rem;line-height:1.3}.card p{color:var(--soft)}.card form{padding:0}.card .error{color:var(--wrong)}
.sign{width:3rem;height:3rem;border-radius:50%;display:grid;place-items:center;font-size:1.4rem;font-weight:700;background:var(--accent-soft);color:var(--accent)}.sign.bad{background:var(--wrong-soft);color:var(--wrong)}
.pay{margin:0 0 1.25rem;max-width:none}.pay form{display:flex;flex-wrap:wrap}
.choosing{margin:1.25rem 0}.choosing .check{display:inline-flex}.choosing td .optional{font-size:.85rem}.choosing input.qty{width:5rem!important;text-align:right}
.foot{max-width:54rem;width:100%;margin:0 auto;padding:1.5rem 1.25rem;color:var(--soft);font-size:.82rem}
@media (max-width:34rem){main{padding:.75rem}.top>div{padding:.8rem 1rem;flex-wrap:wrap}.dock{bottom:0;margin-inline:-.75rem;padding:.7rem .75rem calc(.7rem + env(safe-area-inset-bottom));border-width:1px 0 0;border-radius:0;box-shadow:none}.dock p{flex-basis:100%}.dock .btn{flex:1 1 auto;padding-inline:.6rem}.more .two{grid-template-columns:1fr}
table,tbody,tr,td{display:block;width:100%}thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}tr{border:1px solid var(--line);border-radius:.6rem;padding:.5rem .8rem;margin-bottom:.6rem}
td{border:0;padding:.15rem 0;display:flex;justify-content:space-between;gap:1rem;text-align:right}td::before{content:attr(data-column);color:var(--soft);font-size:.85rem;text-align:left}td::before{flex:none}td:empty{display:none}td:not(.number,:first-child){flex-direction:column;gap:0;text-align:left}td:first-child{font-weight:600;text-align:left}td:first-child::before{content:none}.sums{max-width:none}}
@media (min-width:44rem){.spacer{display:block;visibility:hidden}}
.pins,.ink,.open,.done,.nth,.chosen{display:none}
.drawn .ink,.drawn .pins{display:block}.drawn .spacer{display:block;visibility:hidden}
.ink{grid-area:1/1/3/2;position:absolute;inset:0;width:100%;height:100%;max-width:none;aspect-ratio:auto;border:0;border-radius:.3rem;cursor:auto;background:#fff;touch-action:auto}
.drawn .stage{grid-template-rows:auto}.drawn .spacer,.drawn .ink,.drawn .pins{grid-area:1/1}.drawn .ink{position:static;height:auto}.drawn .ink:not([width]){position:absolute;height:0}
.drawn .stage:has(.ink)>.words{position:absolute;width:1px;height:1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.pins{position:relative}.pin{position:absolute;left:var(--left);top:var(--top);width:var(--wide);height:var(--high);min-width:1.1rem;min-height:1.1rem;border:1.5px solid var(--accent);border-radius:.2rem;background:rgb(223 241 234/.75);color:var(--accent);font:700 .7rem/1.1rem system-ui,sans-serif;text-align:center;cursor:pointer;overflow:hidden}.pin.done{background:var(--accent);color:var(--on)}.pin::after{content:"";position:absolute;inset:-.6rem}.pin.told{border:0;background:none;color:var(--ink);font:500 max(7px,min(var(--letter),1.9cqw))/1.2 system-ui,sans-serif;text-align:left;cursor:auto;pointer-events:none;min-height:0;display:flex;align-items:center}.pin.told .script{font-size:max(9px,var(--letter))!important;white-space:nowrap}.pin.told img{max-height:100%;background:none}
@media (max-width:43.99rem){.drawn .at{display:grid;grid-template-columns:1.6rem minmax(0,1fr);gap:.6rem}.drawn .at:not([data-own])>.field{grid-column:1/-1}.drawn .nth{display:grid;place-items:center;width:1.6rem;height:1.6rem;border-radius:50%;background:var(--accent-soft);color:var(--accent);font-size:.85rem;font-weight:700;margin-top:.7rem}.drawn .fields{padding:1rem;border-top:1px solid var(--line)}}
@media (min-width:44rem){.drawn .pins{display:none}
.drawn .fields{grid-area:auto;align-self:stretch;position:absolute;inset:0;display:block;padding:0}
.drawn .at{--tall:max(var(--high),26px);position:absolute;left:var(--left);top:calc(var(--top) + var(--high) - var(--tall));width:max(var(--wide),26px);height:var(--tall);font-size:clamp(12px,var(--letter),17px);line-height:1.25}
.drawn .at:hover,.drawn .at:focus-within{z-index:2}.drawn .at.opened{z-index:4}
.drawn .at .field{position:relative;display:block;height:100%;padding:0;border:1px solid rgb(10 107 82/.55);border-radius:3px;background:#e8f5ef;gap:0}
.drawn .at .field[data-required]{box-shadow:inset 3px 0 0 var(--accent)}.drawn .at[data-own]:hover .field{border-color:var(--accent)}
.drawn .at .field.wrong{border-color:var(--wrong);background:var(--wrong-soft);box-shadow:inset 3px 0 0 var(--wrong)}
.drawn .at .field>label:not(.check),.drawn .at .field>legend,.drawn .at .field>.label,.drawn .at .check>span,.drawn .at .who,.drawn .at .kept,.drawn .at .empty{position:absolute;float:none;width:1px;height:1px;padding:0;margin:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.drawn .at .field:hover>label:not(.check),.drawn .at .field:focus-within>label:not(.check),.drawn .at .field:hover>legend,.drawn .at .field:focus-within>legend,.drawn .at .field:hover>.label,.drawn .at .check:hover>span,.drawn .at .check:focus-within>span{width:max-content;max-width:18rem;height:auto;clip-path:none;bottom:calc(100% + 3px);left:0;padding:.15rem .5rem;border-radius:.3rem;background:#17202b;color:#fff;font-size:.78rem;font-weight:500;line-height:1.4}
.drawn .at .required,.drawn .at .optional{color:inherit}
.drawn .at .error:not([hidden]){position:absolute;left:0;top:calc(100% + 3px);width:max-content;max-width:16rem;padding:.15rem .5rem;border-radius:.3rem;background:var(--wrong);color:#fff;font-size:.78rem;line-height:1.4;z-index:1}
.drawn .at .field>:is(input:not([type=file]),select,textarea){display:block;width:100%;height:100%;min-height:0;padding:0 .4em 0 .5em;border:0;border-radius:3px;background:transparent;font-size:inherit;line-height:inherit;resize:none}.drawn .at textarea{padding-block:.25em!important}.drawn .at ::placeholder{color:#3f5a50;opacity:1}
.drawn .at select,.drawn .at input[type=date]{padding-right:.1em!important}
.drawn .at .check{display:block;height:100%;min-height:0;position:relative}.drawn .at>div.field>.check>input{display:block;width:100%;max-width:26px;height:100%}.drawn .at [data-type=checkbox]{box-shadow:none!important;background:#fff}
.drawn .at.spread{position:static}.drawn .at.spread>fieldset.field{position:static!important;display:contents!important}.drawn .at.spread .check{position:absolute!important;left:var(--left);top:var(--top);display:block!important;width:max(var(--wide),16px);height:max(var(--high),16px)!important;min-height:0!important;z-index:1}.drawn .at.spread .check>input{width:100%!important;height:100%!important;margin:0}.drawn .at:not(.spread) fieldset[data-type=radio_buttons]{height:auto;min-height:100%;width:max-content;min-width:100%;max-width:18rem;background:#fff;padding:.15rem .5rem!important}.drawn .at:not(.spread) fieldset .check{display:flex;height:auto;gap:.4rem;min-height:26px}.drawn .at:not(.spread) fieldset .check>input{width:1.1rem;height:1.1rem}.drawn .at:not(.spread) fieldset .check>span{clip-path:none!important;overflow:visible!important;position:static!important;width:auto!important;height:auto;clip-path:none;background:none!important;color:inherit!important;font-size:inherit!important;padding:0!important;max-width:none}
.drawn .at input[type=file]{position:absolute;inset:0;width:100%;height:100%;min-height:0;opacity:0;cursor:pointer}.drawn .chosen{position:absolute;inset:0;padding:0 .5em;display:flex;align-items:center;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;pointer-events:none}.drawn .at .field:has(>input[type=file]:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
.drawn .open{display:flex;align-items:center;justify-content:center;width:100%;height:100%;padding:0 .5em;border:0;border-radius:3px;background:#ffe9a8;color:#4a3500;font-weight:650;cursor:pointer;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}.drawn .open.given{background:#e8f5ef;color:#12234a;font-weight:400;justify-content:flex-start}.drawn .open img{max-height:100%;max-width:100%;background:none}.drawn .open .script{font-size:clamp(15px,calc(var(--letter)*1.3),30px)!important;line-height:1.1}
.drawn .at.tall .open.given img{height:100%}
.drawn .wrong .open:not(.given){background:var(--wrong-soft);color:var(--wrong)}
.drawn .pad{display:none}.drawn .opened .pad{display:grid;position:absolute;left:0;top:calc(100% + 6px);width:min(27rem,80cqw);padding:1rem;background:#fff;border:1px solid var(--line);border-radius:.7rem;box-shadow:0 16px 48px rgb(16 24 40/.28);font-size:1rem;line-height:1.5}.drawn .opened.right .pad{left:auto;right:0}.drawn .opened.low .pad{top:auto;bottom:calc(100% + 6px)}.drawn .opened legend{display:none}.drawn .done{display:block;justify-self:end}
.drawn .at .field.read{border:1px dashed #8a97a8;background:rgb(246 248 251/.94)}.drawn .at .field.read:not(.blank){border-color:transparent;background:#fff}.drawn .read .value{position:absolute;inset:0;padding:0 .4em;display:flex;align-items:center;overflow:hidden}.drawn .read.blank .who{position:absolute;inset:0;width:auto;height:auto;clip-path:none;padding:0 .5em;display:flex;align-items:center;color:#525d6d;font-size:max(11px,.85em)}.drawn .read .ticked{font-size:0}.drawn .read .ticked::before{content:"\\2713";font-size:max(14px,var(--letter));font-weight:700}.drawn .read .mark{max-height:100%;max-width:100%;background:none}.drawn .read .script{font-size:clamp(15px,calc(var(--letter)*1.3),30px)!important;line-height:1.1;white-space:nowrap}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{.dock,.more,.foot{display:none}.stage{box-shadow:none}}
`);
