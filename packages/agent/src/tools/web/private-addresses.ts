import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

const notPublic = new BlockList();
for (const [address, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  notPublic.addSubnet(address, prefix, "ipv4");
}
// Unspecified and loopback, embedded IPv4 (NAT64, 6to4, Teredo), discard, unique local, link-local, multicast.
for (const [address, prefix] of [
  ["::", 96],
  ["64:ff9b::", 16],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const) {
  notPublic.addSubnet(address, prefix, "ipv6");
}

/** Whether an address belongs to this machine, a private network or a cloud's metadata service. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 0) return true; // not an address, so not a public one
  return notPublic.check(bare, family === 6 ? "ipv6" : "ipv4");
}

/**
 * A DNS lookup that fails for names with a private address. The connection uses the checked address, so a second lookup
 * cannot return another one (DNS rebinding).
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0);
    const publicAddresses = addresses.filter(({ address }) => !isPrivateAddress(address));
    const [first] = publicAddresses;
    if (first === undefined || publicAddresses.length < addresses.length)
      return callback(Object.assign(new Error("not a public address"), { code: "EPRIVATE" }), "", 0);
    if (options.all === true) return callback(null, publicAddresses);
    return callback(null, first.address, first.family);
  });
};
