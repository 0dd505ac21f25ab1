/** Which texts of an answer are ids. */
import { expect, test } from "vitest";
import { compareValues } from "../../../src/tools/compare/compare-values.ts";
import { Ties } from "../../../src/tools/compare/id-map.ts";
import { idKind } from "../../../src/tools/compare/text-kind.ts";

test.each<[string, string | undefined]>([
  ["3fa85f64-5717-4562-b3fc-2c963f66afa6", "uuid"],
  ["msFYActMfJHqNTKH8YSvF1", "short"],
  ["0123456789abcdef0123456789abcdef", "hex"],
  ["ABCDE-FGHIJ-KLMNO-PQRST", "reference"],
  ["AbcDefGhiJklMnoPqrS1", "log"],
  ["abc_def-ghi_jkl-mno3", "log"],
  // One id in thirty has no digit.
  ["NINMtuaISkKvMsVVzTZe", "log"],
  ["authentication_error", undefined],
  ["AbcDefGhiJklMnoPqr1", "token"],
  ["AbcDefGhiJklMnoPqrStu", undefined],
  ["document_status_changed_in_a_word", undefined],
  ["AbcDefGhiJklMnoPqrStu1", "short"],
  ["abc_def_ghi_jkl_mno_pqr_1", "token"],
  ["a text of more than 16 letters 1", undefined],
])("the text %j is an id of the kind %j", (text, kind) => {
  expect(idKind(text)).toBe(kind);
});

test.each([
  ["authentication_error", "request_error"],
  ["request_error", "authentication_error"],
  ["authentication_error", "AbcDefGhiJklMnoPqrS1"],
])("the word %s of the real side is another than %s", (real, double) => {
  const comparing = { ties: new Ties(), sent: new Set<string>(), origins: { real: "", double: "" }, isAccountList: false };
  expect(compareValues({ type: real }, { type: double }, comparing)).toMatchObject([{ kind: "value", pointer: "/type" }]);
  expect(comparing.ties.doubleOf(real)).toBeUndefined();
});
