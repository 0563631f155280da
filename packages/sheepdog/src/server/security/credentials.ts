import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Checks the token of the address, and the cookies that browsers get for it. */
export interface Credentials {
  isToken(text: string): boolean;
  /** Whether a login is valid: with the token, or with a code that was made for it, once and for a minute. */
  acceptLogin(text: string, at: number): boolean;
  /** The value of a new cookie. It does not contain the token. */
  newSession(at: number): string;
  isSession(value: string, at: number): boolean;
}

/** How long a browser stays logged in. */
export const sessionMs = 30 * 24 * 3_600_000;

/** How long a code for a login is valid. */
const loginCodeMs = 60_000;

/** A random text of 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * A code that takes the place of the token in one login, within a minute. The address that a browser is started with is
 * seen in the list of processes, by agents too, as long as the browser runs: the code is worth nothing by then.
 */
export function createLoginCode(token: string, at: number): string {
  const content = `${at.toString(36)}.${randomBytes(16).toString("base64url")}`;
  return `${content}.${signLogin(token, content)}`;
}

function signLogin(token: string, content: string): string {
  return createHmac("sha256", token).update(`login ${content}`).digest("base64url");
}

/**
 * Sessions are signed with `key` and not stored: they outlive a restart of the server, and any number of them costs no
 * memory. A new key ends all of them.
 */
export function createCredentials({ token, key }: { readonly token: string; readonly key: string }): Credentials {
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  const usedCodes = new Map<string, number>();
  const isToken = (text: string) => isEqual(text, token);
  return {
    isToken,
    acceptLogin(text, at) {
      if (isToken(text)) return true;
      const end = text.lastIndexOf(".");
      const content = text.slice(0, Math.max(0, end));
      const age = at - Number.parseInt(content, 36);
      const isValid = isEqual(text.slice(end + 1), signLogin(token, content)) && Math.abs(age) < loginCodeMs;
      if (!isValid || usedCodes.has(content)) return false;
      for (const [code, usedAt] of usedCodes) if (at - usedAt > 2 * loginCodeMs) usedCodes.delete(code);
      usedCodes.set(content, at);
      return true;
    },
    newSession(at) {
      const content = `${at.toString(36)}.${randomBytes(16).toString("base64url")}`;
      return `${content}.${sign(content)}`;
    },
    isSession(value, at) {
      const end = value.lastIndexOf(".");
      const content = value.slice(0, Math.max(0, end));
      const issuedAt = Number.parseInt(content, 36);
      return isEqual(value.slice(end + 1), sign(content)) && at < issuedAt + sessionMs;
    },
  };
}

/** Takes the same time for every text. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
