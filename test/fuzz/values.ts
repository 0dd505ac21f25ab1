/** Values that often break programs: all kinds and depths, names with a meaning in JavaScript, and invalid text. */
import fc from "fast-check";

const TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202egnp.exe",
  "e\u0301".repeat(50),
  "👩‍👩‍👧‍👦",
  "İıſK",
  "\ufeff",
  "\r\nX-Injected: 1",
  "__proto__",
  "constructor",
  "toString",
  "../../etc/passwd",
  "%00",
  "{{7*7}}",
  "'\"><script>",
  "a".repeat(10_000),
  "9".repeat(400),
  "1e999",
  "NaN",
  "-0",
  "true",
  "null",
  "2026-02-30T25:61:61Z",
  "+999999-01-01T00:00:00Z",
  "a@b",
  `${"a".repeat(300)}@example.test`,
  "https://[::1",
  "file:///etc/passwd",
  "javascript:alert(1)",
];

const NUMBERS = [0, -0, 1, -1, 0.1, 1.5, 1e21, 1e300, -1e300, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 53), 1e15, 100, 101];

/** Names that can break programs, such as members of every JavaScript object. */
export const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "length",
  "then",
  "toJSON",
  "",
  "a.b",
  "[0]",
  "\u0000",
];

export const name = (): fc.Arbitrary<string> => fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 12, unit: "binary" }));

export const text = (): fc.Arbitrary<string> => fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 40, unit: "binary" }));

/** Objects are made from entries, because an assignment to `__proto__` adds no member. */
export const value = (): fc.Arbitrary<unknown> =>
  fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constant(null),
      fc.boolean(),
      fc.constantFrom(...NUMBERS),
      fc.double({ noNaN: true }),
      fc.integer(),
      text(),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.array(fc.tuple(name(), tie("any")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).any;
