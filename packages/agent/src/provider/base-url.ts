export interface BaseUrlOptions {
  /** Path for an address that names a host only. */
  readonly usualPath: string;
  readonly isPlainHttpAllowed: boolean;
}

/**
 * Checks the address that requests with a key go to and adds the default path if it has none. Throws if it is not an
 * address or not safe.
 */
export function checkBaseUrl(text: string, { usualPath, isPlainHttpAllowed }: BaseUrlOptions): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new Error(`The base URL is not an http(s) address: write it like "https://host${usualPath}".`);
  if (url.username !== "" || url.password !== "")
    throw new Error(
      `The base URL of ${url.host} contains a user name or password; give the key as the API key instead.`,
    );
  if (isLinkLocal(url.hostname))
    throw new Error(
      `The base URL is refused: ${url.hostname} is a link-local or cloud metadata address, not a model provider.`,
    );
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !isPlainHttpAllowed)
    throw new Error(
      `The base URL of ${url.host} is plain http, so others on the network could read the key and the conversation: ` +
        "use https, or allow it with security.allow_plain_http=true (in code: isPlainHttpAllowed).",
    );
  if (url.pathname === "/") url.pathname = usualPath;
  return url.href.replace(/\/+$/, "");
}

/** Whether the host is this machine. The URL parser has normalised all notations of IP numbers. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Addresses at which cloud machines can read their own credentials. */
function isLinkLocal(host: string): boolean {
  return /^169\.254\.|^\[fe[89ab][\da-f]:|^\[::ffff:a9fe:|^\[fd00:ec2::254\]$|^metadata\.google\.internal\.?$/.test(
    host,
  );
}
