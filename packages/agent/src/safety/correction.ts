/** Longer messages are new instructions rather than a reaction. */
const MAX_CHARS = 200;

/** Objections that may stand alone or before more words. */
const objections = [
  /^(?:no|nope|wait|hey|oh no|please)?[,.! ]*(?:stop|halt)(?:[.!,]|$| (?:that|this|it|now|right now|immediately|doing)\b)/,
  /^(?:no|nope|wait|please|oh no)?[,.! ]*(?:undo|revert|roll back|put) (?:that|this|it|them|these|those|everything|back)\b/,
  /^(?:no|nope|wait|oh no)?[,.! ]*(?:please )?(?:don't|do not|dont|never) (?:do|run|delete|remove|push|use|touch|change|overwrite|send|commit|install|force|drop|kill)\b/,
  /^(?:no|nope)?[,.! ]*(?:that|this|it)(?:'s| is| was)? (?:wrong|a mistake|not what i (?:asked|wanted|meant))\b/,
  /^(?:no|nope|wrong|oh no)(?:[.!,]|$)/,
  /^why did you\b/,
];
/** Sentences that begin like an objection and are none. */
const others = /^no[,.! ]*(?:problem|worries|need|changes?|rush|hurry)\b|^wrong (?:number|line|file) (?:of|in)\b/;

/**
 * Whether a message that arrives right after a call objects to it, such as "stop", "undo that" or "don't push". Rules
 * for English that find few and are seldom wrong: an objection that is missed only teaches nothing.
 */
export function isCorrection(message: string): boolean {
  const text = message.trim().toLowerCase().replaceAll("’", "'").replaceAll(/\s+/g, " ");
  return text.length <= MAX_CHARS && !others.test(text) && objections.some((objection) => objection.test(text));
}
