/** Mistakes in the syntax of YAML, in words that need no knowledge of its grammar. */

/** The first part of the library's message, and what the author should know. */
const WORDS: readonly (readonly [start: RegExp, text: string])[] = [
  [/^All (mapping|sequence) items must start/, "this line is indented differently from its neighbors; give both the same indent"],
  [
    /^Sequence item without - indicator/,
    "an entry of a list begins with -; add it, or indent the line as a part of the entry above",
  ],
  [
    /^A block sequence may not be used as/,
    "a list begins here, but a name was expected; put the list below its name, and indent it",
  ],
  [
    /^Nested mappings are not allowed/,
    'there is a second ": " in one value; put it in quotation marks, or indent the next line as this one',
  ],
  [
    /^Implicit keys|^Implicit map keys/,
    "this line is no name with a value; write name: value, and indent it as the lines around it",
  ],
  [/^The : indicator must be at most/, "a name is longer than 1024 characters; write a shorter name"],
  [/^Map keys must be unique/, "the same name stands twice in one map; remove or rename one"],
  [/^Tabs are not allowed/, "a tab indents this line; use spaces"],
  [/^Missing closing "/, 'a text begins with " and does not end; close it with another "'],
  [/^Missing closing '/, "a text begins with ' and does not end; close it with another '"],
  [/^Plain value cannot start with/, "a text cannot begin with this character; put the text in quotation marks"],
  [/^Invalid escape sequence/, 'this backslash means nothing inside "…"; double it, or use single quotation marks'],
  [
    /^(Flow map|Flow sequence) in block collection|^(Flow map|Flow sequence) must be/,
    "a { or [ is not closed; indent what belongs to it, and add } or ]",
  ],
  [/^Expected (flow map|flow sequence) to end|^(flow map|flow sequence) in .* must be/i, "a { or [ is not closed; add } or ]"],
  [/^Missing , (or : )?between/, "a comma is missing between two entries inside { } or [ ]"],
  [/^Unexpected (,|empty item)/, "there is a comma without an entry before it; remove it"],
  [/^Missing space after :/, "a space is missing after the colon"],
  [
    /^Block collections are not allowed within flow/,
    "a list or map with lines of dashes cannot stand inside { } or [ ]; write it in one line",
  ],
  [/^Block scalar/, "the lines of a text after | or > need one deeper indent than its name, and nothing else in the first line"],
  [/^Comments must be separated/, "a space is missing before #"],
  [
    /^(Anchor|Alias)|^An alias node|^A node can have at most one anchor/,
    "a name of & or * is wrong; write &name before a value, and *name where it repeats",
  ],
  [
    /^Tags and anchors|^Anchors and tags|^Missing newline after block/,
    "a value and its & or ! stand in the wrong order; put & or ! directly before the value, in its line",
  ],
  [/^(Unresolved tag|A node can have at most one tag)/, "docdouble knows no types that begin with !; remove the type"],
  [
    /^Missing directives-end|^Unexpected doc-end|^Block collection cannot start on same line/,
    "a --- or % stands where it cannot; one file is one document, and needs neither",
  ],
  [
    /^Unexpected (\S+ token|\S+ at node end|scalar|flow)|^Unexpected token/,
    "this does not belong here; put it in quotation marks, or begin a new line",
  ],
];

/** @param message what the YAML library says. An unknown message stays as it is */
export function plainSyntax(message: string): string {
  return WORDS.find(([start]) => start.test(message))?.[1] ?? message;
}
