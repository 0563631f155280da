import { networkInterfaces } from "node:os";

const wildcards: readonly string[] = ["0.0.0.0", "::", "[::]"];

/** Whether an address is reached from this machine only. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * The values of `Host` that the server answers to. A page of another site whose name was made to resolve to this
 * machine sends its own name, which is not among them. An address for all interfaces stands for each of them.
 */
export function allowedHosts(host: string, port: number): ReadonlySet<string> {
  const names = ["127.0.0.1", "localhost", "[::1]", ...(wildcards.includes(host) ? interfaceAddresses() : [host])];
  const inUrl = names.map(hostInUrl);
  return new Set([...inUrl.map((name) => `${name}:${port}`), ...(port === 80 ? inUrl : [])]);
}

/** A host as it stands in a URL: an IPv6 address in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host.toLowerCase();
}

/** The host under which this machine reaches a server: one for all interfaces has the loopback address too. */
export function localHost(host: string): string {
  if (!wildcards.includes(host)) return host;
  return host === "0.0.0.0" ? "127.0.0.1" : "::1";
}

function interfaceAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
}
