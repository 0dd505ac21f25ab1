import { raw } from "../../engine/http/html.ts";

export const STYLE = raw(`
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--ink:#1a2230;--soft:#566174;--line:#dce1e8;--accent:#0b6b4f;--good:#0b6b4f;--good-bg:#dff3ea;--bad:#a3262b;--bad-bg:#fbe6e6;--busy:#8a4b00;--busy-bg:#fcefd9;--calm:#4a5567;--calm-bg:#e9ecf1}
@media (prefers-color-scheme:dark){:root{--bg:#10141a;--card:#181e27;--ink:#e8ecf2;--soft:#a3aebd;--line:#2d3644;--accent:#5ed3a8;--good:#6fe0b6;--good-bg:#143528;--bad:#ff9c9c;--bad-bg:#3f1c1f;--busy:#f6c274;--busy-bg:#3b2a10;--calm:#b7c1cf;--calm-bg:#28313e}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1280px;margin:0 auto;padding:24px}h1{font-size:22px;margin:0 0 4px}h2{font-size:17px;margin:32px 0 12px}h3{font-size:16px;margin:0 0 8px;overflow-wrap:anywhere}
a{color:var(--accent)}code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:6px}
.soft{color:var(--soft)}.bad{color:var(--bad)}.hit{color:var(--busy)}.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px 20px;margin:0 0 16px}
.scroll{overflow-x:auto;border-radius:8px;position:relative}
.badge{display:inline-block;border-radius:999px;padding:1px 10px;font-size:12.5px;font-weight:600;line-height:1.6}
.badge.broke{color:var(--bad);background:var(--bad-bg)}.badge.survived{color:var(--good);background:var(--good-bg)}.badge.warned{color:var(--busy);background:var(--busy-bg)}.badge.calm{color:var(--calm);background:var(--calm-bg)}
table{border-collapse:separate;border-spacing:2px;font-size:13px}th{font-weight:500;text-align:left}thead th{vertical-align:bottom;padding:4px 0}thead th span{writing-mode:vertical-rl;transform:rotate(180deg);white-space:nowrap}tbody th{padding:2px 10px 2px 0;white-space:nowrap}
.matrix td{width:30px;height:28px;text-align:center;border-radius:6px;font-weight:700;padding:0}.matrix td a{display:block;line-height:28px;text-decoration:none;color:inherit;border-radius:6px}
.matrix .survived{color:var(--good);background:var(--good-bg)}.matrix .warned{color:var(--busy);background:var(--busy-bg)}.matrix .broke{color:var(--bad);background:var(--bad-bg);box-shadow:inset 0 0 0 1.5px var(--bad)}.matrix .left_out,.matrix .not_tried,.matrix .impossible{color:var(--calm);background:var(--calm-bg);font-weight:400}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:6px 18px;padding:0;margin:12px 0 0;font-size:13px}
.facts{display:grid;gap:4px;margin:0 0 12px}.facts div{display:grid;grid-template-columns:130px minmax(0,1fr);gap:12px}.facts dt{color:var(--soft)}.facts dd{margin:0;overflow-wrap:anywhere}
.reasons{width:100%}.reasons td,.reasons th{padding:4px 12px 4px 0;vertical-align:top;text-align:left}
details{margin:8px 0 0}summary{cursor:pointer;padding:4px 0;font-weight:500}.story{font-size:13px;padding-left:28px}.story li{overflow-wrap:anywhere}
pre{background:var(--bg);border:1px solid var(--line);border-radius:8px;padding:12px;overflow:auto;margin:8px 0 0}
svg{display:block;font:13px ui-monospace,SFMono-Regular,Menlo,monospace}svg text{fill:var(--ink)}.party{font-weight:700;text-anchor:middle}.lane{stroke:var(--line);stroke-width:2;fill:none}.arrow{stroke:var(--soft);stroke-width:1.6;fill:none}.label{text-anchor:middle}.time,.note{font-size:12px}svg .time,svg .note{fill:var(--soft)}.tip{fill:var(--soft)}.dot{fill:var(--soft)}
.arrow.hit{stroke:var(--busy);stroke-dasharray:6 4}.tip.hit,.dot.hit,svg .label.hit,svg .note.hit{fill:var(--busy)}.arrow.bad{stroke:var(--bad);stroke-width:2.4}.tip.bad,.dot.bad,svg .label.bad,svg .note.bad{fill:var(--bad);font-weight:700}
ul.plain{margin:0;padding-left:20px}@media (max-width:560px){main{padding:16px}.facts div{grid-template-columns:minmax(0,1fr);gap:0}}`);
