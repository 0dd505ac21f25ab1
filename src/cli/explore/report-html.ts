import { type Html, html, htmlPage } from "../../engine/http/html.ts";
import type { Changes } from "../../tools/explore/report-changes.ts";
import { diagramLines } from "../../tools/explore/diagram-text.ts";
import { STYLE } from "./assets.ts";
import { type MatrixRow, matrixOf, OUTCOME_WORDS, outcomeAt, rowName, SIGNS } from "../../tools/explore/matrix.ts";
import type { Break, Cause, Cell, CellOutcome, ExploreReport, FaultName, Step } from "../../tools/explore/report.ts";
import { isExample, placesText, searchText, worldCommand } from "../../tools/explore/report-text.ts";
import { answerWords } from "../../tools/explore/story.ts";

export interface HtmlOptions {
  changes?: Changes;
  scenarios?: ReadonlyMap<string, string>;
}

export function htmlReport(report: ExploreReport, { changes, scenarios = new Map() }: HtmlOptions = {}): string {
  const { breaks, clean, command } = report;
  const page = htmlPage({
    title: `${breaks.length === 0 ? "Nothing broke" : `${breaks.length} broke`} · docdouble explore`,
    style: STYLE,
    policy: "default-src 'none'; style-src 'unsafe-inline'",
    body: html`<header class="bar"><span class="brand"><span aria-hidden="true">◧</span> docdouble</span> <span class="soft">explore</span>${command !== undefined && html` <code title="${command}">${command}</code>`}</header><main>
${verdictHtml(report)}
${clean.problem !== null && problemHtml(report)}
<div class="two">${causesHtml(report)}${changes && changesHtml(changes)}</div>
${clean.problem === null && matrixHtml(report)}
${
  breaks.length > 0 &&
  html`<h2>${breaks.length === 1 ? "The break" : "The breaks"}</h2>${breaks.map((one, i) => {
    const shown = breakHtml(one, i, scenarios.get(one.scenario ?? ""));
    return isExample(report, one) ? shown : html`<details><summary>${one.name}</summary>${shown}</details>`;
  })}`
}
${recordHtml(report)}
</main>`,
  });
  return `${page}\n`;
}

function verdictHtml(report: ExploreReport): Html {
  const { breaks, clean } = report;
  const isBad = breaks.length > 0 || clean.problem !== null;
  return html`<section class="card verdict ${isBad ? "bad" : "good"}"><h1>${verdictTitle(report)}</h1>
<p class="soft">${searchText(report)}</p></section>`;
}

function verdictTitle({ breaks, clean, not_tried }: ExploreReport): string {
  if (clean.problem === "differs") return "Nothing is proven: two runs without a fault differ";
  if (clean.problem === "failed") return "Nothing is proven: the run without a fault fails";
  if (breaks.length > 0) return `Your client breaks in ${breaks.length === 1 ? "one way" : `${breaks.length} ways`}`;
  return not_tried > 0 ? "Nothing broke so far" : "Nothing broke your client";
}

function causesHtml({ causes, breaks }: ExploreReport): Html | false {
  if (causes.length === 0) return false;
  const item = ({ cause, calls, breaks: names, example, advice }: Cause) => {
    const places = `${calls === 1 ? "one place" : `${calls} places`}, ${names.length === 1 ? "one break" : `${names.length} breaks`}`;
    return html`<li><strong>It ${cause}</strong> <span class="soft">${places}, such as</span> <a href="#break-${breaks.findIndex((one) => one.name === example) + 1}">${example}</a><br>${advice}</li>`;
  };
  return html`<section><h2>What the client does wrong</h2><ul class="card plain">${causes.map(item)}</ul></section>`;
}

function problemHtml({ clean }: ExploreReport): Html {
  return html`<section class="card"><p>${clean.message}</p>${clean.steps.length > 0 && diagramHtml(clean.steps, "the run without a fault")}</section>`;
}

/** The outcomes as columns, the most important first. What no fault at any place had has no column. */
const COLUMNS: readonly CellOutcome[] = ["broke", "warned", "survived", "not_tried", "left_out"];

function matrixHtml(report: ExploreReport): Html {
  const { faults, rows } = matrixOf(report);
  if (rows.length === 0) return html`<p class="card">There was nothing to try.</p>`;
  const seen = COLUMNS.filter((outcome) => rows.some((row) => faults.some((fault) => outcomeAt(row, fault) === outcome)));
  const head = seen.map(
    (outcome) => html`<th scope="col"><span aria-hidden="true">${SIGNS[outcome]}</span> ${OUTCOME_WORDS[outcome]}</th>`,
  );
  return html`<h2 id="matrix">What each fault did at each call</h2><section class="card">
<table class="matrix"><thead><tr><th scope="col">Call or event</th>${head}</tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row"><code>${rowName(row)}</code></th>${seen.map((outcome) => cellHtml(report, row, outcome, faults))}</tr>`)}</tbody></table></section>`;
}

function cellHtml({ breaks }: ExploreReport, row: MatrixRow, outcome: CellOutcome, faults: readonly FaultName[]): Html {
  const names = faults.filter((fault) => outcomeAt(row, fault) === outcome);
  if (names.length === 0) return html`<td></td>`;
  const chip = (fault: FaultName) => {
    const at = breaks.findIndex((one) =>
      one.faults.some((place) => place.fault === fault && place.operation === row.operation && place.nth === row.first),
    );
    return outcome === "broke" && at >= 0
      ? html`<a class="badge ${outcome}" href="#break-${at + 1}">${fault}</a>`
      : html`<span class="badge ${outcome}">${fault}</span>`;
  };
  return html`<td><span class="narrow"><span aria-hidden="true">${SIGNS[outcome]}</span> ${OUTCOME_WORDS[outcome]}</span>${names.map((fault) => html` ${chip(fault)}`)}</td>`;
}

function breakHtml(one: Break, index: number, scenario: string | undefined): Html {
  const step = one.failing_step === null ? undefined : one.steps[one.failing_step];
  return html`<article class="card" id="break-${index + 1}"><h3>${one.name} <span class="badge broke">${one.symptom}</span>${one.also.map((symptom) => html` <span class="badge calm">${symptom}</span>`)}${one.known && html` <span class="badge calm">known</span>`}</h3>
<p>${one.message}</p>
<dl class="facts"><div><dt>Faults</dt><dd>${placesText(one.faults)}</dd></div>
${step && html`<div><dt>Failing step</dt><dd><code>${step.what} ${step.nth > 0 ? step.nth : ""}</code> ${step.answer && answerWords(step.answer)}</dd></div>`}
${one.scenario !== null && html`<div><dt>Scenario file</dt><dd><code>${one.scenario}</code></dd></div>`}
${worldCommand(one).map((command) => html`<div><dt>Step by step</dt><dd><code>${command}</code></dd></div>`)}</dl>
${one.steps.length > 0 && diagramHtml(one.steps, one.name)}
${scenario !== undefined && html`<details><summary>The scenario file</summary><pre tabindex="0">${scenario}</pre></details>`}</article>`;
}

function diagramHtml(steps: readonly Step[], title: string): Html {
  return html`<pre class="diagram" tabindex="0" role="region" aria-label="Story of ${title}">${diagramLines(steps).join("\n")}</pre>`;
}

function changesHtml({ fresh, mended, still, untried }: Changes): Html {
  const list = (label: string, badge: string, breaks: readonly Break[]) =>
    breaks.map((one) => html`<li><span class="badge ${badge}">${label}</span> ${one.name}: ${one.symptom}</li>`);
  return html`<section><h2>Since the earlier report</h2><ul class="card plain">${list("new", "broke", fresh)}${list("mended", "survived", mended)}${list("not tried again", "calm", untried)}<li>${still.length} as before</li></ul></section>`;
}

function recordHtml({ cells, reductions, clean, left_out }: ExploreReport): Html {
  const row = (cell: Cell) =>
    html`<tr><th scope="row"><code>${cell.operation} ${cell.nth}</code></th><td>${cell.fault} ${cell.reading}</td><td>${OUTCOME_WORDS[cell.outcome]}</td><td>${cell.why}</td></tr>`;
  return html`<h2>The whole record</h2><section class="card">
${cells.length > 0 && html`<details><summary>${cells.length} results: each fault at each place, with its reason</summary><div class="scroll" tabindex="0" role="region" aria-label="Each fault at each place"><table class="reasons"><thead><tr><th scope="col">Place</th><th scope="col">Fault</th><th scope="col">Outcome</th><th scope="col">Why</th></tr></thead><tbody>${cells.map(row)}</tbody></table></div></details>`}
${reductions.length > 0 && html`<details><summary>${left_out} combinations left out, and why</summary><ul class="plain">${reductions.map(({ why, count }) => html`<li>${count}: ${why}</li>`)}</ul></details>`}
${clean.problem === null && clean.steps.length > 0 && html`<details><summary>${clean.calls.length} calls of the run without a fault, as a story</summary>${diagramHtml(clean.steps, "the run without a fault")}</details>`}</section>`;
}
