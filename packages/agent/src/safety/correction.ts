/** Longer messages are new instructions rather than a reaction. */
const MAX_CHARS = 200;

const actions =
  "do|run|delete|remove|push|use|touch|change|overwrite|send|commit|install|force|drop|kill|publish|deploy|merge";
const things = "that|this|it|them|these|those|everything|all of it|the last (?:change|commit|call|command)";

/** Objections, after words such as "no" or "please". */
const objections = [
  "(?:stop|halt)(?:[.!,]|$| (?:that|this|it|now|right now|immediately|doing)\\b)",
  `(?:undo|revert|roll back|restore|put) (?:${things}|back)\\b`,
  `(?:don't|do not|dont|never) (?:${actions})\\b`,
  "(?:that|this|it)(?:'s| is| was)? (?:wrong|a mistake|not what i (?:asked|wanted|meant))\\b",
  "why did you\\b",
].map((pattern) => new RegExp(`^(?:(?:no|nope|wait|hey|oh no|please)[,.!]* )*${pattern}`));
/** A message that is hardly more than "no". */
const plainNo = /^(?:no|nope|wrong|oh no)(?:[.!,]|$)/;
/** Sentences that begin like an objection and are none. */
const others = /^no[,.! ]*(?:problem|worries|need|changes?|rush|hurry)\b|^wrong (?:number|line|file) (?:of|in)\b/;

/**
 * Whether a message that arrives right after a call objects to it, such as "stop", "undo that" or "don't push". Rules
 * for English that find few and are seldom wrong: an objection that is missed only teaches nothing.
 */
export function isCorrection(message: string): boolean {
  const text = message.trim().toLowerCase().replaceAll("’", "'").replaceAll(/\s+/g, " ");
  if (text.length > MAX_CHARS || others.test(text)) return false;
  return plainNo.test(text) || objections.some((objection) => objection.test(text));
}

const nothingBesidesNo = new RegExp(
  "^[^\\p{L}\\d']*(?:(?:no|n|nope|not|never|don't|dont|do|deny|denied|cancel|stop|halt|wait|hey|oh|please|wrong|" +
    "bad|undo|revert|roll|restore|put|back|(?:that|this|it)(?:'s)?|them|these|those|everything|now|right|immediately|" +
    "is|was|a|mistake|why|did|you)" +
    "(?:[^\\p{L}\\d']+|$))*$",
  "u",
);

/** Whether an objection says more than no, such as "not on Fridays" in place of "no, stop that". */
export function saysWhy(words: string): boolean {
  return !nothingBesidesNo.test(words.trim().toLowerCase().replaceAll("’", "'"));
}
