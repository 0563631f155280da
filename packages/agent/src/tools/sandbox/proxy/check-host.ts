import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPrivateAddress } from "../../web/private-addresses.ts";

/** The address to connect to, or why a command may not connect. */
export type CheckedHost =
  | { readonly isAllowed: true; readonly address: string; readonly port: number }
  | { readonly isAllowed: false; readonly reason: string };

const usualPorts: readonly number[] = [80, 443];

/**
 * Checks `host:port` against the list, exactly: no subdomains, no other ports than those of the web unless the entry
 * has one. All addresses of a name have to be public, unless they are listed themselves.
 */
export async function checkHost(
  target: string,
  hosts: readonly string[],
  resolve: (host: string) => Promise<readonly string[]> = resolveHost,
): Promise<CheckedHost> {
  const [, bracketed, plain, portText = ""] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(target) ?? [];
  const host = (bracketed ?? plain ?? "").toLowerCase();
  const port = Number(portText);
  const entries = hosts.map((entry) => entry.toLowerCase());
  const isListed = (name: string) =>
    entries.includes(isIP(name) === 6 ? `[${name}]:${port}` : `${name}:${port}`) ||
    (usualPorts.includes(port) && entries.includes(name));
  if (host === "" || !isListed(host)) return refused(`${target} is not in security.sandbox_hosts.`);
  if (isIP(host) !== 0) return { isAllowed: true, address: host, port };
  const addresses = await resolve(host).catch(() => []);
  const [address] = addresses;
  if (address === undefined) return refused(`${host} cannot be resolved.`);
  if (addresses.some((each) => isPrivateAddress(each) && !isListed(each)))
    return refused(`${host} has a private address, which is not in security.sandbox_hosts.`);
  return { isAllowed: true, address, port };
}

function refused(reason: string): CheckedHost {
  return { isAllowed: false, reason };
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
