import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Checks the token of the address, and the cookies that browsers get for it. */
export interface Credentials {
  isToken(text: string): boolean;
  /** The value of a new cookie. It does not contain the token. */
  newSession(at: number): string;
  isSession(value: string, at: number): boolean;
}

/** How long a browser stays logged in. */
export const sessionMs = 30 * 24 * 3_600_000;

/** A random text of 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Sessions are signed with `key` and not stored: they outlive a restart of the server, and any number of them costs no
 * memory. A new key ends all of them.
 */
export function createCredentials({ token, key }: { readonly token: string; readonly key: string }): Credentials {
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  return {
    isToken: (text) => isEqual(text, token),
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
