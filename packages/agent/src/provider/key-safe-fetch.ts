import { spellingsOf } from "../secrets/value-spellings.ts";

/**
 * Creates a fetch that keeps the API key with its provider. Redirects are not followed, since they would send the key
 * to another host. The key is removed from failed responses: their text is shown and stored, and not every key can be
 * recognised by its form.
 */
export function createKeySafeFetch(apiKey: string | undefined): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    if (response.ok || apiKey === undefined || apiKey.length < minKeyLength) return response;
    return removeKey(response, encodingsOf(apiKey));
  };
}

/** A shorter key occurs in ordinary words, and protects nothing. */
const minKeyLength = 6;

/** The largest status that a Response can be created with. */
const maxStatus = 599;

async function removeKey(response: Response, secrets: readonly string[]): Promise<Response> {
  const redact = (text: string) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, "…"), text);
  return new Response(response.body === null ? null : redact(await response.text()), {
    status: Math.min(response.status, maxStatus),
    statusText: redact(response.statusText),
    headers: new Headers([...response.headers].filter(([, value]) => redact(value) === value)),
  });
}

/** The key as plain text, in base64, and in the other spellings of a secret value. */
function encodingsOf(apiKey: string): readonly string[] {
  const base64 = Buffer.from(apiKey).toString("base64");
  return [apiKey, base64, base64.replace(/=+$/, ""), ...spellingsOf(apiKey).map(({ text }) => text)];
}
