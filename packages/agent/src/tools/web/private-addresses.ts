import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

const notPublic = new BlockList();
for (const [address, prefix] of [
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
  ] as const),
  ...([
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 3],
  ] as const),
] as const) {
  notPublic.addSubnet(address, prefix, "ipv4");
}
/** Unspecified and loopback, IPv4 in other clothes (NAT64, 6to4, Teredo), discard, unique local, link-local, site-local, multicast. */
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

/** Whether an address is one of this machine, its networks or its cloud, rather than of the public internet. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 0) return true; // no address at all is none of the public ones
  return notPublic.check(bare, family === 6 ? "ipv6" : "ipv4");
}

/** A lookup that finds public addresses only. The connection goes to the very address that was checked, so that a name cannot change its mind. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0);
    const found = addresses.filter(({ address }) => !isPrivateAddress(address));
    const [first] = found;
    if (first === undefined || found.length < addresses.length)
      return callback(Object.assign(new Error("not a public address"), { code: "EPRIVATE" }), "", 0);
    if (options.all === true) return callback(null, found);
    return callback(null, first.address, first.family);
  });
};
