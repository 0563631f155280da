/** A word that announces a secret. Every part is bounded, so that no text is slow. */
const secretName = "(?:password|passwd|pwd|secret|token|api[ _-]?key|authorization|credential)";
const scheme = "(?:(?:bearer|basic|token)\\s{1,3})?";
const assigned = new RegExp(`(${secretName}[\\w"'-]{0,24}\\s{0,3}[:=]\\s{0,3}["']?${scheme})[^\\s"',;]+`, "gi");
const afterWord = /((?:password|secret|token)\s{1,3})(?=\S{0,40}\d)[^\s"',;]{6}[^\s"',;]*/gi;
const inUrl = /(:\/\/[^\s:/@]{0,64}:)[^\s/@]+(?=@)/g;
/** Tokens with a known prefix. */
const prefix = "sk-|sk_live_|sk_test_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|ya29\\.|eyJ";
const prefixed = new RegExp(`\\b(?:${prefix})[\\w.-]{8}[\\w.-]*|-----BEGIN [^\\n]*`, "g");
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g;
const LONG_WORD = 40;
const longWord = /(?<![\w+-])[\w+-]{40}[\w+-]*/g; // not {40,}: V8 needs stack for each repetition that it counts

/**
 * Replaces the usual secrets in the one line that a message quotes. It is small, since every bundle contains it; the
 * complete list of forms is `redactSecrets` of `@sheepdog/guardian/secrets`, which a caller passes as `redact`.
 */
export function redactLine(text: string): string {
  const redacted = text
    .replace(privateKey, "…")
    .replace(assigned, "$1…")
    .replace(afterWord, "$1…")
    .replace(inUrl, "$1…")
    .replace(prefixed, "…");
  if (!hasLongWord(redacted)) return redacted;
  return redacted.replace(longWord, (word) => (isHashOrName(word) ? word : "…"));
}

/**
 * Whether a word has at least 40 characters. Such a word covers every 40th position, so only the words at those
 * positions are measured: on a large result this is three times faster than the pattern alone.
 */
function hasLongWord(text: string): boolean {
  for (let index = LONG_WORD - 1; index < text.length; index += LONG_WORD) {
    let start = index;
    while (isWordCode(text.charCodeAt(start))) start -= 1;
    let end = index;
    while (end - start <= LONG_WORD && isWordCode(text.charCodeAt(end))) end += 1;
    if (end - start > LONG_WORD) return true;
  }
  return false;
}

/** ASCII letters, digits, "_", "-" and "+". False for the NaN outside of the text. */
function isWordCode(code: number): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  const isDigit = code >= 48 && code <= 57;
  return isLetter || isDigit || code === 95 || code === 45 || code === 43;
}

/** A commit's hash is no secret, nor is a long name without digits. */
function isHashOrName(word: string): boolean {
  return /^[\da-f]+$/.test(word) || !/\d/.test(word);
}
