const address = /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n[]|\\.)*\/I?)/;
const simple = /^[pdqPDnNhHgGxl=]/;

/**
 * Whether a sed script only prints and replaces. False when it runs commands (`e`), reads or writes files (`r`, `w`),
 * or is not understood.
 */
export function isHarmlessSed(script: string): boolean {
  let rest = script;
  while (rest !== "") {
    rest = rest.replace(/^[\s;{}]+/, "");
    if (rest === "") return true;
    rest = withoutAddresses(rest);
    const after = simple.test(rest) ? rest.slice(1) : afterSubstitution(rest);
    if (after === undefined || !/^(?:[ \t]*(?:[;\n}]|$))/.test(after)) return false;
    rest = after;
  }
  return true;
}

function withoutAddresses(text: string): string {
  const from = text.replace(address, "");
  const to = from.startsWith(",") ? from.slice(1).replace(/^[+~]/, "").replace(address, "") : from;
  return to.replace(/^\s*!?\s*\{?\s*/, "");
}

/** The text after `s/…/…/flags`; undefined when it is not a substitution, or has the flag `e` or `w`. */
function afterSubstitution(text: string): string | undefined {
  const delimiter = text[1];
  if (!text.startsWith("s") || delimiter === undefined || !"/|#,@!:%_".includes(delimiter)) return undefined;
  const middle = endOf(text, 2, delimiter);
  const end = middle === undefined ? undefined : endOf(text, middle + 1, delimiter);
  if (middle === undefined || end === undefined) return undefined;
  if (!hasWholeBrackets(text.slice(2, middle))) return undefined; // versions of sed differ in where such a pattern ends
  return text.slice(end + 1).replace(/^[gpiIm\d]*/, "");
}

/** The offset of the next delimiter that is not escaped. */
function endOf(text: string, from: number, delimiter: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === delimiter) return at;
    else if (text[at] === "\n") return undefined;
  }
  return undefined;
}

function hasWholeBrackets(pattern: string): boolean {
  return !pattern
    .replace(/\\./g, "")
    .replace(/\[\^?\]?[^\]]*\]/g, "")
    .includes("[");
}
