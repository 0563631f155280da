import { expect, test } from "vitest";
import { isSecretFile } from "./secret-files.ts";
import { isSecretName, isSecretParameter, isSecretVariable } from "./secret-names.ts";

const variables =
  "PGPASSWORD MYSQL_PWD SSHPASS DBPASSWORD GITHUBTOKEN OPENAI_API_KEY AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID " +
  "TOKEN_GITHUB STRIPE_KEY SMTP_PASS NPM_CONFIG__AUTH SECRET_KEY_BASE API_KEY_PRODUCTION GOOGLE_CREDENTIALS";
test.each(variables.split(" "))("%s is a variable with a secret", (name) => {
  expect(isSecretVariable(name)).toBe(true);
});

const harmless = "PATH HOME MAX_TOKENS BYPASS COMPASS KEYBOARD AUTHOR NODE_ENV TOKENIZER SECRETARY DATABASE_URL";
test.each(harmless.split(" "))("%s is a variable without a secret", (name) => {
  expect(isSecretVariable(name)).toBe(false);
});

test.each(["password", "apiKey", "x-api-key", "client_secret", "smtp.pass", "accessToken", "passwordConfirm"])(
  "%s is a field with a secret",
  (name) => expect(isSecretName(name)).toBe(true),
);

test.each(["tokens", "key", "author", "passed", "bypass", "path", "SORT_KEY"])("%s is a field without one", (name) => {
  expect(isSecretName(name)).toBe(false);
});

test("parameters of a URL have short names", () => {
  expect(["key", "sig", "token", "code"].map(isSecretParameter)).toEqual([true, true, true, true]);
  expect(["application_name", "page", "sslmode"].map(isSecretParameter)).toEqual([false, false, false]);
});

test("files with secrets are known by their names, whatever their folder", () => {
  const files = [".env", "a/.env.local", "~/.ssh/id_ed25519", "server.pem", ".netrc", "credentials.json"];
  expect(files.filter((file) => !isSecretFile(file))).toEqual([]);
  expect([".env.example", "env.ts", "id_rsa/x.ts", "environment", "key.ts"].filter(isSecretFile)).toEqual([]);
});
