import { expect, test } from "vitest";
import { redactSecrets } from "../src/index.ts";

test.each([
  ["password=hunter2 rejected", "password=… rejected"],
  ['{"api_key": "abc123", "id": 4}', '{"api_key": "…", "id": 4}'],
  ["Authorization: Bearer abc.def", "Authorization: Bearer …"],
  ["postgres://app:hunter2@db:5432/x refused", "postgres://app:…@db:5432/x refused"],
  [`key sk-${"a1".repeat(12)} is invalid`, "key … is invalid"],
  ["2 tokens left in the basket", "2 tokens left in the basket"],
])("%s", (text, redacted) => {
  expect(redactSecrets(text)).toBe(redacted);
});
