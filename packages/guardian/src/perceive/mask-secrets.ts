/** What stands behind a word like password or token; schemes such as Bearer stay. Every part is bounded, so that no text makes it slow. */
const assigned =
  /((?:password|passwd|pwd|secret|token|api[ _-]?key|authorization|credential)[\w"'-]{0,24}\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token)\s{1,3})?)[^\s"',;]+/gi;
const spoken = /((?:password|secret|token)\s{1,3})(?=\S{0,40}\d)[^\s"',;]{6,}/gi;
const inUrl = /(:\/\/[^\s:/@]{0,64}:)[^\s/@]+(?=@)/g;
/** Tokens that are known by their shape. */
const shaped = /\b(?:sk-|gh[pousr]_|github_pat_|xox[abprs]-|AKIA|AIza|eyJ)[\w.-]{8,}|-----BEGIN [^\n]*/g;
const long = /(?<![\w+-])[\w+-]{40,}/g;

/** The text with secrets replaced by an ellipsis; the words around them stay. */
export function redactSecrets(text: string): string {
  return text
    .replace(assigned, "$1…")
    .replace(spoken, "$1…")
    .replace(inUrl, "$1…")
    .replace(shaped, "…")
    .replace(long, (word) => (/^[\da-f]+$/.test(word) || !/\d/.test(word) ? word : "…")); // a commit's hash is none, nor is a long name
}
