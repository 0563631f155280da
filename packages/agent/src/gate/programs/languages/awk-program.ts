/** What an awk program does besides printing: the files it writes, or why it is not understood. */
export type AwkEffects = { readonly writes: readonly string[] } | { readonly problem: string };

type TokenType = "word" | "string" | "regex" | "operator" | "end";

interface Token {
  readonly type: TokenType;
  readonly text: string;
}

const maxLength = 20_000;
const dangerousWords = new Set(["system", "getline", "SYMTAB", "FUNCTAB", "PROCINFO", "ENVIRON", "ARGV", "ARGC"]);
const outputs = new Set(["/dev/stdout", "/dev/stderr"]);

/** Reads an awk program: `>` is a comparison, except behind `print`, where it writes to a file. */
export function awkEffects(program: string): AwkEffects {
  const tokens = tokensOf(program);
  if (tokens === undefined) return { problem: "is not understood" };
  const writes: string[] = [];
  let isPrinting = false;
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type === "word" && dangerousWords.has(token.text)) return { problem: `uses ${token.text}` };
    if (token.type === "word" && /^printf?$/.test(token.text)) {
      isPrinting = true;
      depth = 0;
    }
    const isContinued = token.text === "\n" && /^(?:,|&&|\|\||\?|:)$/.test(tokens[at - 1]?.text ?? "");
    if (token.type === "end" && !isContinued) isPrinting = false;
    if (token.type !== "operator") continue;
    if (token.text === "(" || token.text === "[") depth += 1;
    if (token.text === ")" || token.text === "]") depth -= 1;
    if (token.text === "@") return { problem: "calls functions by name" };
    if (token.text === "|" || token.text === "|&") return { problem: "runs commands" };
    if (token.text === ">>" || (token.text === ">" && isPrinting && depth <= 0)) {
      const [target, next] = tokens.slice(at + 1);
      if (target?.type !== "string" || (next !== undefined && next.type !== "end" && next.text !== "}"))
        return { problem: "writes to a file that is known only when it runs" };
      if (!outputs.has(target.text)) writes.push(target.text);
    }
  }
  return { writes };
}

/** The tokens of a program; undefined when a part can be read in more than one way. */
function tokensOf(program: string): readonly Token[] | undefined {
  if (program.length > maxLength) return undefined;
  const tokens: Token[] = [];
  let rest = program;
  while (rest !== "") {
    const next = nextToken(rest, tokens.at(-1));
    if (next === undefined) return undefined;
    if (next.token !== undefined) tokens.push(next.token);
    rest = rest.slice(next.length);
  }
  return tokens;
}

interface Step {
  readonly length: number;
  readonly token?: Token;
}

const shapes: readonly (readonly [RegExp, TokenType | undefined])[] = [
  [/^(?:[ \t\r]+|\\\n)/, undefined],
  [/^#[^\n]*/, undefined],
  [/^[\n;{}]/, "end"],
  [/^"(?:[^"\\\n]|\\[\s\S])*"/, "string"],
  [/^[A-Za-z_]\w*/, "word"],
  [/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/, "word"],
  [/^(?:\|\||\|&|>>|>=|&&|[=!<+\-*%^]=|\+\+|--|!~|\*\*|[-()[\]|>@<=!+*%^?:,~$&])/, "operator"],
];

function nextToken(rest: string, previous: Token | undefined): Step | undefined {
  if (rest.startsWith("/")) return slash(rest, previous);
  for (const [shape, type] of shapes) {
    const text = shape.exec(rest)?.[0];
    if (text === undefined) continue;
    if (type === undefined) return { length: text.length };
    const value = type === "string" ? plainString(text.slice(1, -1)) : text;
    return { length: text.length, token: { type, text: value } };
  }
  return undefined;
}

/** A string with escapes counts as a name that no file has: it is never written to. */
const plainString = (text: string): string => (text.includes("\\") ? "\0" : text);

/** A slash divides behind a value and starts a regular expression elsewhere; behind `)` it could be either. */
function slash(rest: string, previous: Token | undefined): Step | undefined {
  const isWord = previous?.type === "word" && !/^(?:print|printf|return|in|else|do|exit|case)$/.test(previous.text);
  if (isWord || previous?.type === "string" || previous?.text === "]")
    return { length: rest.startsWith("/=") ? 2 : 1, token: { type: "operator", text: "/" } };
  if (previous?.text === ")" || previous?.text === "++" || previous?.text === "--") {
    const isDivision = /^\/[ \t]*[\w($]/.test(rest) && !/^\/[^\n]*\//.test(rest);
    return isDivision ? { length: 1, token: { type: "operator", text: "/" } } : undefined;
  }
  if (previous?.type === "regex") return undefined; // a division, or another regular expression
  const text = /^\/(?:[^/\\\n[]|\\[^\n]|\[\^?[^\]^/\\\n][^\]/\\\n]*\])*\//.exec(rest)?.[0];
  return text === undefined ? undefined : { length: text.length, token: { type: "regex", text } };
}
