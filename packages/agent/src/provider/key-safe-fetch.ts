/**
 * Fetches without following redirects, which would carry keys in headers of providers' own to another host: one is given back as the answer, and fails.
 * What a provider, or a proxy before it, says of a failure is given back without the key: it will be shown and kept, and not every key can be told by its looks.
 */
export function keylessFetch(apiKey: string | undefined): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    return response.ok || apiKey === undefined || apiKey.length < shortest
      ? response
      : withoutKey(response, spellings(apiKey));
  };
}

/** Shorter texts are in every sentence, and protect nothing. */
const shortest = 6;

async function withoutKey(response: Response, secrets: readonly string[]): Promise<Response> {
  const masked = (text: string) => secrets.reduce((said, secret) => said.replaceAll(secret, "…"), text);
  const headers = new Headers([...response.headers].filter(([, value]) => masked(value) === value));
  const status = Math.min(response.status, 599); // as far as a response may be made
  return new Response(response.body === null ? null : masked(await response.text()), {
    status,
    statusText: masked(response.statusText),
    headers,
  });
}

/** The key as it is, in an address, in JSON, in base64. */
function spellings(apiKey: string): readonly string[] {
  const base64 = Buffer.from(apiKey).toString("base64");
  return [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1), base64, base64.replace(/=+$/, "")];
}
