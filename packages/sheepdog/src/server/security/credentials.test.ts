import { expect, test } from "vitest";
import { createCredentials, createLoginCode, newSecret } from "./credentials.ts";

const at = 1_800_000_000_000;

test("the code of an address is valid for one login within a minute, and for nothing else", () => {
  const token = newSecret();
  const credentials = createCredentials({ token, key: newSecret() });
  const code = createLoginCode(token, at);
  expect(code).not.toContain(token);
  expect(credentials.isToken(code)).toBe(false);
  expect(credentials.acceptLogin(code, at + 1_000)).toBe(true);
  expect(credentials.acceptLogin(code, at + 2_000)).toBe(false);
  expect(credentials.acceptLogin(createLoginCode(token, at), at + 60_000)).toBe(false);
  expect(credentials.acceptLogin(createLoginCode(newSecret(), at), at)).toBe(false);
  expect(credentials.acceptLogin(credentials.newSession(at), at)).toBe(false);
});

test("the token is valid for any number of logins", () => {
  const token = newSecret();
  const credentials = createCredentials({ token, key: newSecret() });
  for (const later of [0, 1, 1e9]) expect(credentials.acceptLogin(token, at + later)).toBe(true);
  for (const odd of ["", ".", "..", `${token}x`]) expect(credentials.acceptLogin(odd, at)).toBe(false);
});
