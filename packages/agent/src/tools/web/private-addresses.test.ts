import { expect, test } from "vitest";
import { isPrivateAddress } from "./private-addresses.ts";

test.each([
  ...[
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
  ],
  ...[
    "::1",
    "::",
    "[::1]",
    "fe80::1%eth0",
    "fc00::1",
    "fd12::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "::7f00:1",
  ],
  ...["localhost", ""],
])("%s is not public", (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

test.each([
  "1.1.1.1",
  "172.32.0.1",
  "172.15.0.1",
  "192.169.0.1",
  "8.8.8.8",
  "::ffff:8.8.8.8",
  "2606:4700::1111",
  "2a00:1450:4001::200e",
])("%s is public", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});
