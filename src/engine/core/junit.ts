export interface JUnitCase {
  classname: string;
  name: string;
  failure?: { message: string; text: string };
  skipped?: string;
  note?: string;
}

export function junitXml(suite: string, cases: readonly JUnitCase[]): string {
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const counts = `tests="${cases.length}" failures="${cases.filter((one) => one.failure).length}"${skipped > 0 ? ` skipped="${skipped}"` : ""}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(suite)}" ${counts}>`,
    ...cases.map(caseXml),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseXml({ classname, name, failure, skipped, note }: JUnitCase): string {
  const open = `    <testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}"`;
  const inside = [
    skipped === undefined ? "" : `<skipped message="${escapeXml(skipped)}"/>`,
    failure ? `<failure message="${escapeXml(failure.message)}">${escapeXml(failure.text)}</failure>` : "",
    note === undefined ? "" : `<system-out>${escapeXml(note)}</system-out>`,
  ].join("");
  return inside === "" ? `${open}/>` : `${open}>${inside}</testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(NOT_IN_XML, "?").replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for them, nor for half of a character
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu;
