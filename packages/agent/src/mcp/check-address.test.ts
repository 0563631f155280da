import { expect, test } from "vitest";
import { checkAddress } from "./check-address.ts";

test.each(["https://a.example/x", "http://localhost:1", "http://127.0.0.1:1", "http://[::1]:1"])(
  "%s may be used",
  (url) => expect(() => checkAddress(new URL(url))).not.toThrow(),
);

test.each([
  "http://a.example",
  "http://127.evil.example",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "https://u:p@a.example",
])("%s may not be used", (url) => expect(() => checkAddress(new URL(url))).toThrow(/^The server names an address/));
