import { expect, test } from "vitest";

/** The cases that every redaction must pass, whether it knows a few forms of secrets or all. */
export function testRedaction(redact: (text: string) => string): void {
  test.each([
    "Incorrect API key provided: sk-proj-abcdef1234567890",
    "cannot connect to postgres://admin:s3cretpw@db:5432/x",
    "Authorization: token ghp_abcdefghij0123456789abcd",
    "Authorization: Bearer abc.def-123456",
    "login failed for password hunter2",
    "AKIAIOSFODNN7EXAMPLE was refused",
    "-----BEGIN RSA PRIVATE KEY-----",
    "pwd=hunter2 is wrong",
    '{"client_secret":"abc123def"}',
    "token eyJhbGciOi.eyJzdWIiOi.abc123",
  ])("%s loses its secret", (text) => {
    expect(redact(text)).toContain("…");
    expect(redact(text)).not.toMatch(/sk-proj|s3cretpw|ghp_|def-123|hunter2|AKIA|BEGIN|abc123/);
  });

  test.each([
    "token expired",
    "Unauthorized: no password given",
    "https://example.com/a/b?page=2",
    "commit 1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d",
  ])("%s stays", (text) => {
    expect(redact(text)).toBe(text);
  });

  test("no text makes it slow", () => {
    for (const part of ["token-", "sk-", "password ", "://a:", "Aa1"]) redact(part.repeat(40_000));
  });

  test.each([38, 39, 40, 41, 80])("a long word behind %i other characters is replaced", (offset) => {
    const secret = "0123456789ABCDEFGHIJ0123456789ABCDEFGHIJ";
    for (const space of [" ", "."]) {
      const text = space.repeat(offset) + secret;
      expect(redact(text)).toBe(`${space.repeat(offset)}…`);
      expect(redact(text.slice(0, -1))).toBe(text.slice(0, -1)); // one character too short
      expect(redact(`${text} and more`)).toBe(`${space.repeat(offset)}… and more`);
    }
  });

  test("a private key is replaced from its first line to its last, also if it is cut off", () => {
    const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE/abc+def\nghi/jkl==\n-----END RSA PRIVATE KEY-----";
    expect(redact(`before\n${key}\nafter`)).toBe("before\n…\nafter");
    expect(redact(`before\n${key.slice(0, 50)}`)).toBe("before\n…");
  });
}
