import { codeAt, isWordCode, type Span } from "./span.ts";

const MAX_LENGTH = 512;

/** The password, or a token alone, between `://` and the last `@` of an address; the user name stays. */
export function credentialsInUrl(text: string, colon: number): Span | undefined {
  if (!text.startsWith("://", colon)) return undefined;
  const start = colon + 3;
  const limit = Math.min(text.length, start + MAX_LENGTH);
  let end = start;
  while (end < limit && !/[\s/?#"'`<>\\]/.test(text.charAt(end))) end += 1;
  const length = text.slice(start, end).lastIndexOf("@");
  if (length <= 0) return undefined;
  const at = start + length;
  const userInfo = text.slice(start, at);
  const separator = userInfo.indexOf(":");
  if (separator >= 0) return secretPart(text, start + separator + 1, at);
  const isToken = userInfo.length >= 16 && /\d/.test(userInfo) && !userInfo.includes(".");
  return isToken ? secretPart(text, start, at) : undefined;
}

function secretPart(text: string, start: number, end: number): Span | undefined {
  const value = text.slice(start, end);
  return value === "" || value === "…" || /^\$\{?\w*\}?$|^<.*>$/.test(value) ? undefined : { start, end };
}

/** The password of `user:password@host` without a scheme. */
export function credentialsBeforeAt(text: string, at: number): Span | undefined {
  if (!isWordCode(codeAt(text, at - 1)) && !/[!$%^&*]/.test(text.charAt(at - 1))) return undefined;
  const before = /(?:^|[\s"'`=(])([\w.+-]{1,64}):([^\s:@/"'`<>(){}[\],=]{3,64})$/.exec(
    text.slice(Math.max(0, at - 130), at),
  );
  if (before === null) return undefined;
  const [, user = "", password = ""] = before;
  if (/^(?:npm|mailto|file|node|workspace|link|jsr|sip|acct|bun|deno|pkg|git|https?|ssh)$/i.test(user))
    return undefined;
  const host = /[A-Za-z][\w-]{0,63}(?:(?:\.[\w-]{1,63}){1,8}|:\d{2,5})(?![\w@])/y;
  host.lastIndex = at + 1;
  if (!host.test(text) && !text.startsWith("localhost", at + 1)) return undefined;
  return password === "…" ? undefined : { start: at - password.length, end: at };
}
