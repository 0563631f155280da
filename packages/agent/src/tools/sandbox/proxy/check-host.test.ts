import { expect, test } from "vitest";
import { checkHost } from "./check-host.ts";

const hosts = ["registry.example.org", "other.example.org:8443", "corp.example.org", "10.1.2.3", "[fd00::1]:443"];
const addresses: Readonly<Record<string, readonly string[]>> = {
  "registry.example.org": ["93.184.216.34"],
  "other.example.org": ["93.184.216.35"],
  "corp.example.org": ["10.1.2.3"],
  "rebound.example.org": ["93.184.216.34", "127.0.0.1"],
};
const check = (target: string, list: readonly string[] = hosts) =>
  checkHost(target, list, async (host) => addresses[host] ?? []);

test.each([
  ["registry.example.org:443", "93.184.216.34"],
  ["REGISTRY.example.org:80", "93.184.216.34"],
  ["other.example.org:8443", "93.184.216.35"],
  ["corp.example.org:443", "10.1.2.3"],
  ["10.1.2.3:443", "10.1.2.3"],
  ["[fd00::1]:443", "fd00::1"],
])("%s is allowed", async (target, address) => {
  expect(await check(target)).toMatchObject({ isAllowed: true, address });
});

test.each([
  "registry.example.org:22",
  "other.example.org:443",
  "a.registry.example.org:443",
  "registry.example.org.:443",
  "registry.example.org.evil.example:443",
  "evil.example:443",
  "93.184.216.34:443",
  "127.0.0.1:443",
  "[::1]:443",
  "2130706433:443",
  "registry.example.org",
  "registry.example.org:443@evil.example:443",
  "user@registry.example.org:443",
  "",
])("%j is refused", async (target) => {
  expect(await check(target)).toMatchObject({ isAllowed: false });
});

test("a name with one private address is refused, and so is one without an address", async () => {
  expect(await check("rebound.example.org:443", ["rebound.example.org"])).toEqual({
    isAllowed: false,
    reason: "rebound.example.org has a private address, which is not in security.sandbox_hosts.",
  });
  expect(await check("gone.example.org:443", ["gone.example.org"])).toEqual({
    isAllowed: false,
    reason: "gone.example.org cannot be resolved.",
  });
});
