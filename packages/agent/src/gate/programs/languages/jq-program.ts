const reaching = new Set([
  ...["env", "$ENV", "import", "include", "modulemeta", "get_search_list", "input_line_number", "$__prog_args"],
]);

/**
 * The first word of a jq program that reaches beyond its input: the environment, or modules in other files. Undefined
 * when there is none. Words in texts do not count, words in `\(…)` inside texts do.
 */
export function jqReach(program: string): string | undefined {
  const closers: string[] = []; // what ends each open bracket or text
  for (let at = 0; at < program.length; ) {
    const rest = program.slice(at, at + 200);
    if (closers.at(-1) === '"') {
      if (rest.startsWith("\\(")) closers.push(")");
      else if (rest.startsWith('"')) closers.pop();
      at += rest.startsWith("\\") ? 2 : 1;
      continue;
    }
    if (rest.startsWith("#")) return "#"; // versions of jq differ in where a comment ends
    const word = /^(?:\.\s*|\$\s*)?[A-Za-z_]\w*/.exec(rest)?.[0];
    if (word !== undefined && reaching.has(word.replace(/\s+/, "")) && !isKey(program, at, word)) return word;
    if (rest.startsWith('"')) closers.push('"');
    else if (rest.startsWith("(")) closers.push(")");
    else if (rest.startsWith(")")) closers.pop();
    at += word?.length ?? 1;
  }
  return undefined;
}

/** Whether a word is the name of a field in `{name: …}`. */
function isKey(program: string, at: number, word: string): boolean {
  const after = program.slice(at + word.length, at + word.length + 20);
  return /^\s*:/.test(after) && /[{,]\s*$/.test(program.slice(Math.max(0, at - 20), at));
}
