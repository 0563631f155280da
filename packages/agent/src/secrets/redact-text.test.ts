import { redactSecrets } from "@sheepdog/guardian";
import fc from "fast-check";
import { expect, test } from "vitest";
import { redactText } from "./redact-text.ts";

const pieces = [
  ...[
    "password",
    "passwd",
    "PWD",
    "Secret",
    "token",
    "api key",
    "API_KEY",
    "api-key",
    "apikey",
    "authorization",
    "credential",
    "pass",
    "key",
    "bearer ",
    "basic ",
  ],
  ...[
    "sk-",
    "ghp_",
    "ghr_",
    "github_pat_",
    "xoxb-",
    "AKIA",
    "AIza",
    "eyJ",
    "SK-",
    "-----BEGIN ",
    "-----",
    "://",
    "://user:",
    "@",
    "https://",
  ],
  ...[":", "=", " ", "  ", "\n", "\t", '"', "'", ",", ";", "_", "-", "+", ".", "/", "…", "é", "ſ", "\u212a"],
  ...[
    "hunter2",
    "x",
    "7",
    "a1b2c3d4",
    "0123456789abcdef0123456789abcdef01234567",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklm",
    "Zz9_+-",
  ],
];
const text = fc
  .array(fc.oneof({ arbitrary: fc.constantFrom(...pieces), weight: 4 }, fc.string({ maxLength: 12 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

test("it gives what maskSecrets gives, whatever the text", () => {
  let masked = 0;
  fc.assert(
    fc.property(text, (given) => {
      const shown = redactText(given);
      if (shown !== given) masked += 1;
      expect(shown).toBe(redactSecrets(given));
    }),
    { numRuns: 20_000 },
  );
  expect(masked).toBeGreaterThan(1_000); // else nothing was tried
});

test("the shortest secret is seen", () => {
  expect(redactText("pwd=x")).toBe("pwd=…");
});

test.each([38, 39, 40, 41, 80])("a long word behind %i other characters is seen wherever it begins", (before) => {
  const secret = "0123456789ABCDEFGHIJ0123456789ABCDEFGHIJ";
  for (const space of [" ", "."]) {
    const given = space.repeat(before) + secret;
    expect(redactText(given)).toBe(`${space.repeat(before)}…`);
    expect(redactText(given.slice(0, -1))).toBe(given.slice(0, -1)); // one too short
    expect(redactText(`${given} and more`)).toBe(`${space.repeat(before)}… and more`);
  }
});
