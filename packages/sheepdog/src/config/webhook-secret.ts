/** The least that cannot be guessed. */
const minBytes = 16;

/** Why a secret cannot sign webhooks; undefined if it can. A secret `whsec_…` is base64; any other one is plain text. */
export function webhookSecretProblem(secret: string): string | undefined {
  if (!secret.startsWith("whsec_")) return undefined;
  const key = secret.slice("whsec_".length);
  const isBase64 = /^[\w+/-]+={0,2}$/.test(key);
  if (isBase64 && Buffer.from(key, "base64").length >= minBytes) return undefined;
  return `has a secret that begins with whsec_, which needs at least ${minBytes} bytes in base64 after it`;
}
