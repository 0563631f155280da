/** What stands behind a word like password or token, and tokens that are known by their shape. */
const assigned =
  /\b([\w-]*(?:password|passwd|pwd|secret|token|api[_-]?key|authorization|credential)[\w-]*["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?)[^\s"',;]+/gi;
const inUrl = /(\b[a-z][a-z\d+.-]*:\/\/[^\s:/@]*:)[^\s/@]+(?=@)/gi;
const wellKnown =
  /\b(?:sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z\d]{16}|AIza[\w-]{30,}|npm_\w{30,}|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]+)/g;

/** The text with secrets replaced by an ellipsis; the words around them stay. */
export function maskSecrets(text: string): string {
  return text.replace(assigned, "$1…").replace(inUrl, "$1…").replace(wellKnown, "…");
}
