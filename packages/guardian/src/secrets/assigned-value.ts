import { plainName, queryName, strongName, vendorName, weakName } from "./secret-names.ts";
import { codeAt, isWordCode, matchLength, type Span } from "./span.ts";

const MAX_NAME = 64;
const MAX_VALUE = 4_096;

/** The value of a secret after a colon or an equals sign at `at`, without quotes; undefined if there is none. */
export function assignedSecret(text: string, at: number): Span | undefined {
  const name = nameBefore(text, at);
  if (name === "") return undefined;
  const strength = strengthOf(name, text, at);
  return strength === undefined
    ? undefined
    : secretValue(text, valueStart(text, at), { name, strength, separator: separatorAt(text, at, name) });
}

/** The value of a secret that follows the name of a flag: `--password X`. */
export function flagSecret(text: string, at: number): Span | undefined {
  return secretValue(text, at, { name: "PASSWORD", strength: "strong", separator: "=" });
}

type Strength = "strong" | "weak" | "random";

interface Assignment {
  readonly name: string;
  readonly strength: Strength;
  readonly separator: string;
}

/** The separator; ";" for a part of a list such as `Server=x;Password=y`. */
function separatorAt(text: string, at: number, name: string): string {
  return text.charAt(at - name.length - 1) === ";" && text.charAt(at) === "=" ? ";" : text.charAt(at);
}

/** The identifier before a separator, without quotes and brackets: `headers["x-api-key"] = `. */
function nameBefore(text: string, at: number): string {
  let end = at;
  const lowest = Math.max(0, at - 12);
  while (end > lowest && isBetween(text.charCodeAt(end - 1))) end -= 1;
  let start = end;
  const first = Math.max(0, end - MAX_NAME);
  while (start > first && isNameCode(text.charCodeAt(start - 1))) start -= 1;
  if (start === end) return "";
  const name = text.slice(start, end);
  const isSecondWord = codeAt(text, start - 1) === 32 && /^(?:key|phrase|token)$/i.test(name);
  return isSecondWord ? text.slice(Math.max(0, start - 8), end) : name; // "API key: …"
}

/** Spaces, quotes, backslashes, closing brackets and the "?" of an optional field. */
function isBetween(code: number): boolean {
  return (
    code === 32 || code === 34 || code === 39 || code === 96 || code === 92 || code === 93 || code === 41 || code === 63
  );
}

/** Letters, digits, "_", "-", ".", "$". */
function isNameCode(code: number): boolean {
  return isWordCode(code) || code === 45 || code === 46 || code === 36;
}

/** A part of each of these names, to decide fast about the others. */
const namePart = /pass|pwd|secret|cred|key|auth|mnemonic|phrase|cookie|token|sess|sig|code|hmac|connect/i;

/** A key without a telling name has a run like this. The names of all vendors take long to compile. */
const longRun = /[\w+/=.:~%-]{14}/;
/** Spaces, a quote and the scheme before a value, and the run. */
const LONGEST_OPENING = 96;

function strengthOf(name: string, text: string, at: number): Strength | undefined {
  const hasNamePart = namePart.test(name);
  if (!hasNamePart && !isWordCode(codeAt(text, at + 14))) return undefined; // too short for a key
  if (!hasNamePart && !longRun.test(text.slice(at + 1, at + LONGEST_OPENING))) return undefined;
  if (!hasNamePart) return vendorName.test(name) && !plainName.test(name) ? "random" : undefined;
  if (strongName.test(name)) return "strong";
  if (weakName.test(name)) return "weak";
  const before = text.charAt(at - name.length - 1);
  if ((before === "?" || before === "&") && queryName.test(name)) return "weak";
  return vendorName.test(name) && !plainName.test(name) ? "random" : undefined;
}

/** The index of the value behind a separator such as `:`, `=`, `:=` or `=>`, and behind up to three spaces. */
function valueStart(text: string, at: number): number {
  let start = at + 1;
  while (start < at + 4 && /[:=>~]/.test(text.charAt(start))) start += 1;
  const afterSeparator = start;
  while (start < afterSeparator + 4 && /[ \t]/.test(text.charAt(start))) start += 1;
  const block = /[|>][+-]?[ \t]{0,3}\r?\n[ \t]{1,32}/y; // a YAML block
  block.lastIndex = start;
  if (block.test(text)) return block.lastIndex;
  return text.charAt(start) === "[" && /["'`\\]/.test(text.charAt(start + 1)) ? start + 1 : start;
}

function secretValue(text: string, at: number, assignment: Assignment): Span | undefined {
  const opening = text.slice(at, at + matchLength(quote, text, at));
  const inside = at + opening.length;
  const start = inside + matchLength(scheme, text, inside);
  const quoted = opening === "" ? undefined : quotedValue(text, start, opening);
  const span = quoted ?? plainValue(text, start, assignment);
  const value = text.slice(span.start, span.end);
  if (value === "" || isHarmless(value)) return undefined;
  return isSecretValue(value, { ...assignment, isQuoted: quoted !== undefined }) ? span : undefined;
}

/** A quote with its backslashes, after the letters of a Python string. */
const quote = /(?:[bruf@]{1,2}(?=["']))?\\{0,7}["'`]/y;
/** The scheme of an Authorization header, which stays. */
const scheme = /(?:bearer|basic|token|digest|negotiate|apikey|aws4-hmac-sha256) {1,3}/iy;

/** The rest of a quoted text up to the quote with as many backslashes; undefined if the line has none. */
function quotedValue(text: string, start: number, opening: string): Span | undefined {
  const mark = opening.slice(-1);
  const maxBackslashes = opening.split("\\").length - 1;
  const limit = Math.min(text.length, start + MAX_VALUE);
  let backslashes = 0;
  for (let index = start; index < limit; index += 1) {
    const character = text.charAt(index);
    if (character === "\n") return undefined;
    if (character === mark && backslashes <= maxBackslashes) return { start, end: index - backslashes };
    backslashes = character === "\\" ? backslashes + 1 : 0;
  }
  return limit === text.length ? { start, end: limit, isOpen: true } : undefined;
}

const toSpace = /[^\s"'`\\]+/y;
const toSeparator = /[^\s"'`\\,;&)}\]]+/y;
const toSemicolon = /[^\n\r"'`\\;]+/y;
const toLineEnd = /[^\n\r"'`\\]+/y;

/** A value without quotes: a passphrase to the end of its line, a variable to the next space. */
function plainValue(text: string, at: number, { name, separator }: Assignment): Span {
  const isVariable = separator === "=" && (/^[A-Z][A-Z\d_]*$/.test(name) || /access.?signature$/i.test(name));
  const isLine = /passphrase|mnemonic|seed.?phrase|cookie/i.test(name);
  const isList = separator === ";";
  const pattern = isLine ? toLineEnd : isList ? toSemicolon : isVariable ? toSpace : toSeparator;
  let end = at;
  for (;;) {
    pattern.lastIndex = end;
    if (pattern.test(text)) end = pattern.lastIndex;
    if (text.charAt(end) !== "\\" || /[nrt"'`\\]/.test(text.charAt(end + 1)) || end + 1 >= text.length) break;
    end += 1; // a backslash inside of a password
  }
  return { start: at, end, isOpen: end === text.length };
}

/** Placeholders, references to variables, and what an earlier redaction left. */
function isHarmless(value: string): boolean {
  if (/^(?:…|\*+|\.+|-+|x{3,}|\[?(?:redacted|hidden|masked)\]?)$/i.test(value)) return true;
  return /^(?:\$[A-Za-z_]\w{0,80}|\$?\{\{?[^{}]{0,200}\}\}?|\$\(.{0,200}|%\w{1,80}%|<[^<>]{0,80}>?)$/i.test(value);
}

const ordinary = new RegExp(
  "^(?:true|false|null|undefined|none|nil|yes|no|on|off|string|number|boolean|bool|str|" +
    "int|bytes|any|unknown|object|void|never|required|optional|include|omit|same-origin|" +
    "inherit|write|read|all)\\b",
  "i",
);
/** The start of an expression: a call, an index, a template, a reference to the environment. */
const expression = new RegExp(
  "^(?:[$%{<[(*.…!&|?]|(?:new|await|typeof|async|lambda|function|require|import|if|" +
    "not)\\b|[A-Za-z_$][\\w$]{0,80}(?:[?!]?\\.[\\w$]{1,80}){0,8}[?!]?[[({<])",
);
const chain = /^[A-Za-z_$][A-Za-z_$]*(?:[?!]?\.[A-Za-z_$][\w$]*)+[?!]?$/;
const holder = new RegExp(
  "^(?:process|os|env|config|cfg|conf|settings|opt(?:ion)?s|this|self|req|request|res|" +
    "ctx|context|props|state|args|params|data|user|input|form|body|secrets|vars?|module|" +
    "window|import|local|inputs|github)\\b",
);
const typeName = new RegExp(
  "^[A-Za-z]+(?:Str|String|Key|Token|Type|Buffer|Array|Object|Config|Options|Schema|" +
    "Field|Input|Props|Secret|Password|Credentials?|Provider|Manager|Service|Error|Request|" +
    "Response)$",
);
const nameWord = /pass|pwd|secret|token|key|cred|auth|cookie|session/i;

interface Judged extends Assignment {
  readonly isQuoted: boolean;
}

function isSecretValue(value: string, { name, strength, separator, isQuoted }: Judged): boolean {
  if (strength === "random") return isRandom(value, name);
  if (isQuoted) return isSecretText(value, strength);
  if (separator === "=" && /^[A-Z][A-Z\d_]*$/.test(name)) return isSecretVariable(value, name);
  if (ordinary.test(value) || expression.test(value) || typeName.test(value)) return false;
  if (/^[A-Za-z_$]+$/.test(value) && nameWord.test(value)) return false; // `password: userPassword`
  if (chain.test(value) && (strength === "weak" || holder.test(value) || nameWord.test(value))) return false;
  if (isPath(value)) return false;
  if (/(?:^|[^a-z])pass$/i.test(name)) return !/^[\d.%/]+$/.test(value) && !(name === "PASS" && separator === ":");
  if (strength === "strong") return true;
  if (/^\d+$/.test(value)) return value.length >= 6;
  return value.length >= 4 && (/\d/.test(value) || value.length >= 16);
}

/** A quoted text under a name: a sentence, a path or a word such as "include" is none. */
function isSecretText(value: string, strength: Strength): boolean {
  if (/^(?:include|omit|same-origin|inherit|required|optional|string|number|password|secret|token)$/i.test(value))
    return false;
  if (isPath(value) || /^https?:\/\/[^@]*$/.test(value)) return false;
  if (strength === "strong") return true;
  return value.length >= 4 && !/\s/.test(value);
}

/** A value of an environment variable is never code. */
function isSecretVariable(value: string, name: string): boolean {
  if (/^\$|^(?:true|false|null|none|yes|no)$/i.test(value)) return false;
  if (/PWD$/.test(name)) return !/^[~/.]/.test(value);
  if (/(?:^|_)PASS$|TOKEN$/.test(name) && /^\d{1,5}$/.test(value)) return false;
  return !isPath(value) || /SECRET/.test(name);
}

function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?\/(?:[\w.@-]+\/)*[\w.@-]*$/.test(value) && value.length !== 40;
}

/** Whether a value under the name of a company looks like a key: long, one word, letters and digits. */
function isRandom(value: string, name: string): boolean {
  if (value.length < 14 || value.length > 512 || !/^[\w+/=.:~%-]+$/.test(value)) return false;
  if (isPath(value) || /^(?:https?|v?\d+\.\d+)\b|\.[a-z]{2,4}$|:\/\//i.test(value)) return false;
  if (!/\d/.test(value)) return false;
  return /[A-Za-z]/.test(value) || /id$|key$/i.test(name);
}
