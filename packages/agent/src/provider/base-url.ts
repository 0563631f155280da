/** Checks where requests with a key would go, and gives the address with the usual path where it names a host only. Throws a sentence where it is not safe or no address. */
export function checkBaseUrl(
  text: string,
  { usualPath, isPlainHttpAllowed }: { readonly usualPath: string; readonly isPlainHttpAllowed: boolean },
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new Error(`The base URL is no http(s) address: write it like "https://host${usualPath}".`);
  if (url.username !== "" || url.password !== "")
    throw new Error(`The base URL of ${url.host} holds a user name or password: give the key as the API key instead.`);
  if (isLinkLocal(url.hostname))
    throw new Error(
      `The base URL points to ${url.hostname}, an address of the machine's own cloud or link, where no model answers: it is refused.`,
    );
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !isPlainHttpAllowed)
    throw new Error(
      `The base URL of ${url.host} is plain http, so the key and the conversation could be read on the way: use https, or allow plain http explicitly.`,
    );
  if (url.pathname === "/") url.pathname = usualPath;
  return url.href.replace(/\/+$/, "");
}

/** This machine. The URL parser has already written numbers of all kinds as four decimals. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Where clouds hand out credentials to whoever asks from inside. */
function isLinkLocal(host: string): boolean {
  return /^169\.254\.|^\[fe[89ab][\da-f]:|^\[::ffff:a9fe:|^\[fd00:ec2::254\]$|^metadata\.google\.internal\.?$/.test(
    host,
  );
}
