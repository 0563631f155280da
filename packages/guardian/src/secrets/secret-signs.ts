import { flagSecret } from "./assigned-value.ts";
import { codeAt, isWordCode, matchLength, type Span } from "./span.ts";

const secretFlag = new RegExp(
  "--[\\w-]{0,32}?(?:password|passwd|passphrase|pass|secret|token|api-?key|access-key|" +
    "secret-key|auth-token|credential)(?:-value)?(?: {1,4}(?![-=|&;<>$(]))",
  "iy",
);
const userFlag = /(?:-u|--user|--proxy-user)[ =]{0,4}["']?[^\s:"']{1,128}:/y;
const passwordFlag = /-p(?=[^\s-])["']?/y;
const separateFlag = /-(?:p|a|w|pass) {1,4}["']?(?![-$])/y;

/** The programs before the flags, and how far back they are searched. */
const CONTEXT = 300;
const withUser = /(?:\b|\\[nrt])(?:curl|wget|https?|xh|ab|siege|hey)\b[^\n]*$/;
const withJoinedPassword = /(?:\b|\\[nrt])(?:mysql\w*|mariadb\w*|mysqldump|sshpass)\b[^\n]*$/;
const withPassword = new RegExp(
  "(?:\\b|\\\\[nrt])(?:sshpass|docker\\b.{0,40}\\blogin|podman\\b.{0,40}\\blogin|" +
    "redis-cli|ldap\\w+|smbclient|az\\b.{0,40}\\blogin)\\b[^\\n]*$",
);

/** The password in the flags of a command: `--password X`, `curl -u user:X`, `mysql -pX`. */
export function commandSecret(text: string, at: number): Span | undefined {
  const before = codeAt(text, at - 1);
  if (isWordCode(before) || before === 45) return undefined;
  if (codeAt(text, at + 1) === 45) {
    const length = matchLength(secretFlag, text, at);
    if (length > 0) return flagSecret(text, at + length);
  }
  const userLength = matchLength(userFlag, text, at);
  if (userLength > 0 && follows(withUser, text, at)) return argument(text, at + userLength);
  const joinedLength = matchLength(passwordFlag, text, at);
  if (joinedLength > 0 && follows(withJoinedPassword, text, at)) return argument(text, at + joinedLength);
  const length = matchLength(separateFlag, text, at);
  return length > 0 && follows(withPassword, text, at) ? argument(text, at + length) : undefined;
}

function follows(program: RegExp, text: string, at: number): boolean {
  return program.test(text.slice(Math.max(0, at - CONTEXT), at));
}

function argument(text: string, start: number): Span | undefined {
  const value = /[^\s"'\\]+/y;
  const end = start + matchLength(value, text, start);
  const isHarmless = end === start || /^(?:…|\d+|\$[\w{(].*)$/.test(text.slice(start, Math.min(end, start + 200)));
  return isHarmless ? undefined : { start, end, isOpen: end === text.length };
}

const element = new RegExp(
  "<(?:[\\w-]{1,32}:)?[\\w.-]{0,32}?(?:password|passwd|secret|token|api[_-]?key|" +
    "access[_-]?key|credential)>(?:<!\\[CDATA\\[)?",
  "iy",
);
const keyValue = /<add\s{1,8}key=["'][\w.:-]{0,64}?(?:password|secret|token|apikey)["']\s{1,8}value=["']/iy;

/** The text of an XML element or of a .NET setting with the name of a secret. */
export function markupSecret(text: string, at: number): Span | undefined {
  const start = at + (matchLength(element, text, at) || matchLength(keyValue, text, at));
  if (start === at) return undefined;
  const end = start + matchLength(/[^<"'\s\]]{1,4096}/y, text, start);
  const isClosed = end === text.length || /[<"'\]]/.test(text.charAt(end));
  if (end === start || !isClosed || text.slice(start, end) === "…") return undefined;
  return { start, end, isOpen: end === text.length };
}

const telegram = { before: /(?:^|\D)(\d{6,12})$/, after: /:A[\w-]{34}(?![\w-])/y };
const facebook = { before: /(?:^|\D)(\d{15,16})$/, after: /\|[\w-]{27,40}(?![\w-])/y };
const azure = { before: /(?:^|[^\w.~])([\w.~]{3}\dQ)$/, after: /~[\w.~-]{31,34}(?![\w~-])/y };

/** Tokens of Telegram, Facebook and Azure, which have a sign in their middle. */
export function tokenAroundSign(text: string, at: number): Span | undefined {
  const sign = text.charAt(at);
  if (sign === ":" && codeAt(text, at + 1) !== 65) return undefined; // an "A" follows in a token of Telegram
  const { before, after } = sign === ":" ? telegram : sign === "|" ? facebook : azure;
  const length = matchLength(after, text, at);
  if (length === 0) return undefined;
  const [, first] = before.exec(text.slice(Math.max(0, at - 18), at)) ?? [];
  return first === undefined ? undefined : { start: at - first.length, end: at + length };
}
