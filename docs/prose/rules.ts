/** Our rules for sentences that users read. docs/prose/lint.ts runs them. */
import { CODE, wordsOf } from "./sentences.ts";

const WORDS_MAX = 25;

/** Phrases that read like riddles, and what to do instead. */
const RIDDLES: readonly [RegExp, string][] = [
  [/\bwhat is (?:not|there|given|sent|asked|meant|held|dropped|said|shown|kept|saved|filled in)\b/i, "Name the thing."],
  [/\bgoes? (?:with|by)\b|\bin other hands\b/i, "Use a concrete verb."],
  [/\btaken away\b/i, "Say “removed”."],
  [/\bnobody (?:gave|says|tells|knows?)\b/i, "Say what is missing."],
  [/\b[Nn]one (?:is like|of the)\b/i, "Say “no …” with the name of the thing."],
  [/\bthe ones? that\b/i, "Name the thing."],
  [/\bnone is (?:there|left)\b|\bthere is none\b|\bis none\b/i, "Say “no …” with the name of the thing."],
  [/\bof (?:its|their|his) own\b/i, "Say “its own …”, “your own …” or “separate”."],
  [/\bgoes (?:when|where|to waste)\b|\bthat goes\b/i, "Use a concrete verb: moves, ends, is removed."],
  [/\b(?:is|are|was|were) (?:not |never )?told\b/i, "Say who tells whom, or use “receives”."],
  [/\bwho is (?:mailed|asked|meant|named)\b/i, "Name the person and the act."],
  [/\bbeyond what\b|\bbeside what\b|\bwhatever (?:it|they|there)\b/i, "Name the thing."],
  [/\bbut for\b/i, "Say “except”."],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|other\b)\p{L}+/iu, "Say “is not a …”."],
  [/\bas it were\b|\bso to speak\b|\bby and by\b/i, "Leave it out."],
  [/\bit (?:is|was) (?:meant|said|told|seen)\b/i, "Say who does it."],
  [/\b(?:wants|want) (?:a|an|the|its|no) (?:key|token|body|scenario|admin|header|JDK)\b/i, "Say “needs”."],
  [/\bmended?\b/i, "Say “fix”."],
  [/\butili[sz]e|\bin order to\b|\bprior to\b|\bin the event of\b/i, "Use a plain word: use, to, before, if."],
];

/** Texts that show a riddle on purpose. */
const QUOTED = /[“"][^”"]*[”"]/g;

export function problemsIn(sentence: string): string[] {
  // Spans of code do not count: a long list of names is still easy to read.
  const words = wordsOf(sentence).filter((word) => word !== CODE).length;
  const plain = sentence.replaceAll(QUOTED, "…");
  return [
    ...(words > WORDS_MAX ? [`${words} words. Split the sentence: ${WORDS_MAX} are the most.`] : []),
    ...RIDDLES.flatMap(([riddle, advice]) => {
      const found = riddle.exec(plain)?.[0];
      return found === undefined ? [] : [`“${found}” reads like a riddle. ${advice}`];
    }),
  ];
}
