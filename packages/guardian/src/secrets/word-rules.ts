import { matchLength, type Span } from "./span.ts";

/** What follows a fixed word. */
export interface WordRule {
  readonly name: string;
  /** The spellings of the word, with "|" between them. */
  readonly starts: string;
  find(text: string, at: number): Span | undefined;
}

/** A rule that replaces what follows the match of `opening`, as far as `value` matches. */
function valueAfter(opening: RegExp, value: RegExp): WordRule["find"] {
  return (text, at) => {
    const start = at + matchLength(opening, text, at);
    if (start === at) return undefined;
    const end = start + matchLength(value, text, start);
    return end === start ? undefined : { start, end, isOpen: end === text.length };
  };
}

/** A rule that leaves a text as it is. */
function publicText(pattern: RegExp): WordRule["find"] {
  return (text, at) => {
    const length = matchLength(pattern, text, at);
    return length === 0 ? undefined : { start: at, end: at + length, isPublic: true };
  };
}

const notASecret =
  "(?!(?:not|now|no|too|the|an?|in|on|set|wrong|empty|missing|required|optional|expired|(?:in)?correct|(?:in)?valid|" +
  "being|never|always|only|also|null|undefined|your|my|our|their|used|needed|ok|fine|good|bad|weak|strong|short|long|" +
  "this|that|what|secret|private|unknown|hidden|" +
  "here|there|already|still|just|for|from|by|at|to|of|or|and|[a-z]+(?:ed|ing|ly|able|ible))\\b)";

export const wordRules: readonly WordRule[] = [
  {
    name: "bearer",
    starts: "Bearer|bearer|BEARER",
    find: valueAfter(
      /bearer\s{1,3}/iy,
      /(?=[A-Za-z_~+/=.-]{0,80}\d)[\w~+/=.-]{8}[\w~+/=.-]*|[\w~+/=.-]{24}[\w~+/=.-]*/y,
    ),
  },
  {
    name: "password-is",
    starts: "password|Password|passphrase|Passphrase|passwd|passcode",
    find: valueAfter(
      /pass(?:word|phrase|wd|code)(?: for [\w.@-]{1,64})? {1,3}(?:is|was) {1,3}["'`]?/iy,
      new RegExp(`${notASecret}[^\\s"'\`,;]{3}[^\\s"'\`,;]*`, "iy"),
    ),
  },
  {
    name: "password-word",
    starts: "password|Password|PASSWORD|secret|Secret|token|Token",
    find: valueAfter(/(?:password|secret|token)\s{1,3}/iy, /(?=[^\s\d"',;]{0,40}\d)[^\s"',;]{6}[^\s"',;]*/y),
  },
  {
    name: "netrc",
    starts: "machine|default",
    find: valueAfter(
      /(?:machine\s{1,8}\S{1,255}|default)\s{1,8}login\s{1,8}\S{1,255}\s{1,8}password\s{1,8}(?!…)/y,
      /\S+/y,
    ),
  },
  {
    name: "putty",
    starts: "PuTTY-User-Key-File-",
    find: puttyKey,
  },
  {
    name: "oracle",
    starts: "jdbc:oracle:",
    find: valueAfter(/jdbc:oracle:[a-z\d]{1,8}:[^\s/@:]{1,64}\/(?!…)/iy, /[^\s@"']{1,128}(?=@)/y),
  },
  {
    name: "checksum",
    starts: "sha1-|sha256-|sha384-|sha512-|sha256:|sha512:",
    find: publicText(/sha\d{1,3}[-:][\w+/]{20}[\w+/]*={0,2}/y),
  },
  {
    name: "media",
    starts: "data:",
    find: publicText(/data:(?:image|font|audio|video)\/[\w.+-]{1,40};base64,[\w+/=]*/y),
  },
];

const puttyLine = "(?:\\r?\\n|\\\\r|\\\\n){1,2}";
const putty = new RegExp(
  `PuTTY-User-Key-File-\\d: [\\w-]{1,40}(?:${puttyLine}(?!Private-MAC)` +
    "(?:[A-Z][\\w-]{2,20}: [^\\n\\r\\\\]{0,200}|[A-Za-z\\d+/=]{1,100}(?=[\\r\\n\\\\]|$))){0,1000}" +
    `(?:${puttyLine}Private-MAC: [\\da-f]{1,64})?`,
  "y",
);

/** A key of PuTTY up to the line with its checksum. */
function puttyKey(text: string, at: number): Span | undefined {
  const length = matchLength(putty, text, at);
  return length === 0 ? undefined : { start: at, end: at + length, isOpen: at + length + 2 >= text.length };
}
