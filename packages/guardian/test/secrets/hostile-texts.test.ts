import { findSecrets, redactSecrets } from "@sheepdog/guardian/secrets";
import { describe, expect, test } from "vitest";
import { redactLine } from "../../src/perceive/redact-line.ts";

const MB = 1_000_000;

/** Parts whose repetition is hard for careless patterns: many starts and no end. */
const parts: readonly string[] = [
  "a",
  "-",
  "--",
  "-----",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----BEGIN RSA PRIVATE KEY-----\nabc\n",
  `${"Aa1+".repeat(16)}\n`,
  `${"Aa1/".repeat(16)}`,
  "a-",
  "a1_",
  "Aa1",
  "/",
  "a/",
  "\n",
  "\\n",
  "\\",
  '"',
  "=",
  ":",
  "a=",
  "a:",
  "password=",
  'password="',
  "password='x",
  'password=\\"',
  "password: |\n ",
  "password is ",
  "token ",
  "passphrase: x ",
  "Bearer ",
  "://",
  "://a:",
  "://a@",
  "@",
  "a:b@",
  "<",
  "<password>",
  '<add key="password" value="',
  "--password ",
  "curl -u a:",
  "-u a:b ",
  "mysql -p",
  "docker login ",
  "machine a login b password ",
  "PuTTY-User-Key-File-2: x\n",
  "sk-",
  "eyJ",
  "MT",
  "data:image/png;base64,",
  "sha512-",
  "$2b$",
  "AKIA",
  "~",
  "|",
  "asana_key='",
  "jdbc:oracle:thin:a/",
  "…",
  "\u202e",
  "\ud800",
];

describe.each(parts)("%o repeated", (part) => {
  test("is read to its end in time that grows like its length", () => {
    const text = part.repeat(Math.ceil(MB / 5 / part.length));
    const quarterMs = fastest(() => redactSecrets(text.slice(0, text.length / 4)));
    const ms = fastest(() => redactSecrets(text));
    // Four times the text takes four times the time, with room for noise; quadratic time would be sixteen times that.
    expect(ms).toBeLessThan(10 * quarterMs + 100);
    expect(redactSecrets(`${text} the end`)).toMatch(/end$|…$/);
  }, 60_000);
});

test("ten megabytes of every part are redacted", () => {
  const text = parts.map((part) => part.repeat(Math.ceil((10 * MB) / parts.length / part.length))).join("\n");
  expect(text.length).toBeGreaterThanOrEqual(10 * MB);
  const spans = findSecrets(text);
  expect(spans.length).toBeGreaterThan(1_000);
}, 120_000);

test("the small redaction of one line reads long texts too", () => {
  for (const part of parts) expect(typeof redactLine(part.repeat(Math.ceil(MB / 20 / part.length)))).toBe("string");
}, 60_000);

/** The time of the fastest of two runs. */
function fastest(run: () => unknown): number {
  const times = [0, 1].map(() => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}
