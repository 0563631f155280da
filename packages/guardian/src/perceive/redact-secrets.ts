/** A word that announces a secret. Every part is bounded, so that no text is slow. */
const secretName = "(?:password|passwd|pwd|secret|token|api[ _-]?key|authorization|credential)";
const scheme = "(?:(?:bearer|basic|token)\\s{1,3})?";
const assigned = new RegExp(`(${secretName}[\\w"'-]{0,24}\\s{0,3}[:=]\\s{0,3}["']?${scheme})[^\\s"',;]+`, "gi");
const afterWord = /((?:password|secret|token)\s{1,3})(?=\S{0,40}\d)[^\s"',;]{6,}/gi;
const inUrl = /(:\/\/[^\s:/@]{0,64}:)[^\s/@]+(?=@)/g;
/** Tokens with a known prefix. */
const prefixed = /\b(?:sk-|gh[pousr]_|github_pat_|xox[abprs]-|AKIA|AIza|eyJ)[\w.-]{8,}|-----BEGIN [^\n]*/g;
const long = /(?<![\w+-])[\w+-]{40,}/g;

/** Replaces secrets by an ellipsis; the words around them stay. */
export function redactSecrets(text: string): string {
  return text
    .replace(assigned, "$1…")
    .replace(afterWord, "$1…")
    .replace(inUrl, "$1…")
    .replace(prefixed, "…")
    .replace(long, (word) => (isHashOrName(word) ? word : "…"));
}

/** A commit's hash is no secret, nor is a long name without digits. */
function isHashOrName(word: string): boolean {
  return /^[\da-f]+$/.test(word) || !/\d/.test(word);
}
