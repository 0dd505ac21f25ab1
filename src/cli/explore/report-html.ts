import { type Html, html } from "../../engine/http/html.ts";
import type { Changes, PastBreak } from "../../tools/explore/report-changes.ts";
import { diagramSvg } from "./diagram-svg.ts";
import { STYLE } from "./html-style.ts";
import { type MatrixRow, matrixOf, OUTCOME_WORDS, outcomeAt, rowName, SIGNS } from "../../tools/explore/matrix.ts";
import { type Break, type Cell, type ExploreReport, type FaultName, OUTCOMES } from "../../tools/explore/report.ts";
import { causeText, placesText, verdictOf, worldCommand } from "../../tools/explore/report-text.ts";
import { answerWords } from "../../tools/explore/story.ts";

export interface HtmlOptions {
  changes?: Changes;
  scenarios?: ReadonlyMap<string, string>;
}

export function htmlReport(report: ExploreReport, { changes, scenarios = new Map() }: HtmlOptions = {}): string {
  const { breaks, clean } = report;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${breaks.length === 0 ? "Nothing broke" : `${breaks.length} broke`} · docdouble explore</title><style>${STYLE}</style></head>
<body><main>
<h1>docdouble explore</h1><p class="soft">${verdictOf(report)}</p>
${clean.problem !== null && problemHtml(report)}
${changes && changesHtml(changes)}
${report.causes.length > 0 && html`<h2>What the client lacks</h2><ul class="card plain">${report.causes.map((one) => html`<li>${causeText(one)}, such as ${one.example}</li>`)}</ul>`}
${clean.problem === null && matrixHtml(report)}
<h2>Breaks</h2>${breaks.length === 0 ? html`<p class="card">No fault broke the client.</p>` : breaks.map((one, i) => breakHtml(one, i, scenarios.get(one.scenario ?? "")))}
${reasonsHtml(report)}
</main></body></html>
`;
  return String(page);
}

function problemHtml({ clean }: ExploreReport): Html {
  const title = clean.problem === "differs" ? "Two runs without a fault differ" : "The run without a fault fails";
  return html`<section class="card"><h2>${title}</h2><p>${clean.message}</p>${clean.steps.length > 0 && diagramSvg(clean.steps, "the run without a fault", "clean")}</section>`;
}

function matrixHtml(report: ExploreReport): Html {
  const { faults, rows } = matrixOf(report);
  if (rows.length === 0) return html`<p class="card">There was nothing to try.</p>`;
  const seen = OUTCOMES.filter((outcome) => rows.some((row) => faults.some((fault) => outcomeAt(row, fault) === outcome)));
  return html`<h2 id="matrix">Calls and faults</h2><section class="card"><div class="scroll" tabindex="0" role="region" aria-labelledby="matrix">
<table class="matrix"><thead><tr><th scope="col">Place</th>${faults.map((fault) => html`<th scope="col"><span>${fault}</span></th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row"><code>${rowName(row)}</code></th>${faults.map((fault) => cellHtml(report, row, fault))}</tr>`)}</tbody></table></div>
<ul class="legend">${seen.map((outcome) => html`<li><span aria-hidden="true">${SIGNS[outcome]}</span> ${OUTCOME_WORDS[outcome]}</li>`)}</ul></section>`;
}

function cellHtml({ breaks }: ExploreReport, row: MatrixRow, fault: FaultName): Html {
  const outcome = outcomeAt(row, fault);
  if (outcome === undefined) return html`<td></td>`;
  const words = html`<span aria-hidden="true">${SIGNS[outcome]}</span><span class="sr">${OUTCOME_WORDS[outcome]}</span>`;
  const at = breaks.findIndex((one) =>
    one.faults.some((place) => place.fault === fault && place.operation === row.operation && place.nth === row.first),
  );
  return outcome === "broke" && at >= 0
    ? html`<td class="${outcome}"><a href="#break-${at + 1}">${words}</a></td>`
    : html`<td class="${outcome}">${words}</td>`;
}

function breakHtml(one: Break, index: number, scenario: string | undefined): Html {
  const step = one.failing_step === null ? undefined : one.steps[one.failing_step];
  return html`<article class="card" id="break-${index + 1}"><h3>${one.name} <span class="badge broke">${one.symptom}</span>${one.also.map((symptom) => html` <span class="badge calm">${symptom}</span>`)}${one.known && html` <span class="badge calm">known</span>`}</h3>
<p>${one.message}</p>
<dl class="facts"><div><dt>Faults</dt><dd>${placesText(one.faults)}</dd></div>
${step && html`<div><dt>Failing step</dt><dd><code>${step.what} ${step.nth > 0 ? step.nth : ""}</code> ${step.answer && answerWords(step.answer)}</dd></div>`}
${one.scenario !== null && html`<div><dt>Scenario file</dt><dd><code>${one.scenario}</code></dd></div>`}
${worldCommand(one).map((command) => html`<div><dt>Step by step</dt><dd><code>${command}</code></dd></div>`)}</dl>
${one.steps.length > 0 && diagramSvg(one.steps, one.name, `b${index + 1}`)}
${scenario !== undefined && html`<details><summary>The scenario file</summary><pre tabindex="0">${scenario}</pre></details>`}</article>`;
}

function changesHtml({ fresh, mended, still, untried }: Changes): Html {
  const list = (label: string, badge: string, breaks: readonly PastBreak[]) =>
    breaks.map((one) => html`<li><span class="badge ${badge}">${label}</span> ${one.name}: ${one.symptom}</li>`);
  return html`<h2>Since the earlier report</h2><section class="card"><ul class="plain">${list("new", "broke", fresh)}${list("mended", "survived", mended)}${list("not tried again", "calm", untried)}<li>${still.length} as before</li></ul></section>`;
}

function reasonsHtml({ cells, reductions, clean }: ExploreReport): Html {
  const row = (cell: Cell) =>
    html`<tr><th scope="row"><code>${cell.operation} ${cell.nth}</code></th><td>${cell.fault} ${cell.reading}</td><td>${OUTCOME_WORDS[cell.outcome]}</td><td>${cell.why}</td></tr>`;
  return html`<h2>Why</h2><section class="card">
${reductions.length > 0 && html`<ul class="plain">${reductions.map(({ why, count }) => html`<li>${count} left out: ${why}</li>`)}</ul>`}
${cells.length > 0 && html`<details><summary>Each fault at each place</summary><div class="scroll" tabindex="0" role="region" aria-label="Each fault at each place"><table class="reasons"><thead><tr><th scope="col">Place</th><th scope="col">Fault</th><th scope="col">Outcome</th><th scope="col">Why</th></tr></thead><tbody>${cells.map(row)}</tbody></table></div></details>`}
${clean.problem === null && clean.steps.length > 0 && html`<details><summary>The run without a fault</summary>${diagramSvg(clean.steps, "the run without a fault", "clean")}</details>`}</section>`;
}
