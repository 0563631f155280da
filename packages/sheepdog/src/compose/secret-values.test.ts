import { expect, test } from "vitest";
import { secretsInEnvironment, secretValues } from "./secret-values.ts";

const value = "a1B2c3D4e5";

test.each(["PGPASSWORD", "MYSQL_PWD", "SSHPASS", "DBPASSWORD", "GITHUBTOKEN", "OPENAI_API_KEY", "STRIPE_KEY"])(
  "the value of %s is a secret",
  (name) => expect(secretsInEnvironment({ [name]: value })).toEqual([value]),
);

test.each([
  ["PWD", "/home/me/projects"],
  ["DB_PASSWORD", "postgres"],
  ["DB_PASSWORD", "Password"],
  ["AUTH_TOKEN", "required"],
  ["MAX_TOKEN", "12345678"],
  ["SECRET_FILE_TOKEN", "~/token-1"],
  ["DATABASE_URL", "postgres://postgres:postgres@localhost/app?application_name=my-project-1"],
])("%s=%s has no secret", (name, text) => {
  expect(secretsInEnvironment({ [name]: text })).toEqual([]);
});

test("a password of letters only is a secret if it is long or has capitals inside", () => {
  expect(secretsInEnvironment({ A_PASSWORD: "correcthorse", B_PASSWORD: "hUnterTwo" })).toEqual([
    "correcthorse",
    "hUnterTwo",
  ]);
});

test("a user name without a password is taken for a token", () => {
  expect(secretsInEnvironment({ REPOSITORY: `https://${value}@example.org/x` })).toContain(value);
});

test("the password and the secret parameters of an address are secrets", () => {
  const address = `postgres://me:p%40ss-word1@db.example.org/app?sslpassword=${value}&options=quiet-mode-1`;
  expect(secretsInEnvironment({ DATABASE_URL: address })).toEqual(["p%40ss-word1", "p@ss-word1", value]);
  const config = {
    model: { base_url: `https://x.example.org/?api_key=${value}` },
    fallback_models: [],
    opentelemetry: { headers: {} },
  };
  expect(secretValues(config as unknown as Parameters<typeof secretValues>[0], {})).toEqual([value]); // all it reads
});

test("headers for a collector are secrets, with and without the word before the token", () => {
  const env = { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${value},team=sheep` };
  expect(secretsInEnvironment(env)).toEqual([`Bearer ${value}`, value]);
  const both = { ...env, OTEL_EXPORTER_OTLP_METRICS_HEADERS: "authorization=f6G7h8I9j0" };
  expect(secretsInEnvironment(both)).toEqual([`Bearer ${value}`, value, "f6G7h8I9j0"]);
  const config = { model: {}, fallback_models: [], opentelemetry: { headers: { "x-key": value } } };
  expect(secretValues(config as unknown as Parameters<typeof secretValues>[0], {})).toEqual([value]); // all it reads
});
