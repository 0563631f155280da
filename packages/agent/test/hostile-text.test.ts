import { redactSecrets } from "@sheepdog/guardian/secrets";
import { describe, expect, test } from "vitest";
import { escapeNotices } from "../src/guard/notice.ts";
import { escapeTags } from "../src/protocol/outside-text.ts";
import { shortLine } from "../src/protocol/short-line.ts";
import { commandShapes } from "../src/safety/command-shape.ts";
import { isCorrection, saysWhy } from "../src/safety/correction.ts";
import { publishableLength } from "../src/secrets/publishable-prefix.ts";
import { createRedact } from "../src/secrets/redact.ts";
import { createValueMask } from "../src/secrets/value-mask.ts";
import { plainText } from "../src/tools/plain-text.ts";

/** Texts that make a careless regular expression try very many ways to match. */
const pieces = [
  ...["a", "A1", " ", "\n", "\\n", "\\", '"', "'", "=", ":", "-", "/", "+", "<", "[", "@", "$", "%", "|", "\u200b"],
  ...["password ", "password=", "token: '", "://a:", "sk-", "eyJ.", "machine x login ", "curl -u ", "a:b@", "no, "],
  ...[
    "-----BEGIN ",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    `${"A1b2".repeat(19)}\n`,
    "data:image/png;base64,",
    "\u001b[",
  ],
];
const value = "a1B2c3D4e5".repeat(9);
const redact = createRedact([value]);
const values = createValueMask([value, "aaaaaaaaaaaaaaab", `${" a".repeat(20)}b`]);

const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ["redactSecrets", redactSecrets],
  ["the redaction of a runtime", redact],
  ["the cut of a stream", (text) => publishableLength(text.slice(0, 40_000), values)],
  ["plainText", plainText],
  ["escapeTags", escapeTags],
  ["escapeNotices", escapeNotices],
  ["shortLine", (text) => shortLine(text, 100)],
  ["commandShapes", (text) => commandShapes(text.slice(0, 20_000))],
  ["isCorrection", isCorrection],
  ["saysWhy", (text) => [saysWhy(text), saysWhy("no ".repeat(text.length / 3))]],
];

describe("119 hostile text takes linear time", () => {
  // With quadratic time, one text of this size would take minutes.
  test.each(readers)("%s", { timeout: 60_000 }, (_, read) => {
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(300_000 / piece.length));
      expect([piece, read(text)]).toEqual([piece, expect.anything()]);
      read(`${text}!`);
    }
  });

  test("10 MB of output are redacted", { timeout: 60_000 }, () => {
    const line = "2026-01-01 12:00:00 GET /api/users?page=7 200 12ms user=ada\n";
    const text = `${line.repeat(170_000)}${value}\n`;
    expect(redact(text)).toBe(`${line.repeat(170_000)}…\n`);
    expect(redact("x".repeat(10_000_000))).toHaveLength(10_000_000);
    for (const start of ["ghp_", "Bearer ", "password ", "sha256-", "password=", ""])
      expect(redact(`${start}${"a1B2".repeat(2_500_000)}`).length, start).toBeLessThan(10_000_020);
  });
});
