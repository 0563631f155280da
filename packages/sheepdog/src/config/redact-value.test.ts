import { expect, test } from "vitest";
import { redactValue } from "./redact-value.ts";

const env = { OTLP_TOKEN: "shepherd-token-5581" };

test("headers are masked, unless they are a variable, whose name is shown", () => {
  const headers = { authorization: "Bearer shepherd-token-5581", "x-key": "abc", team: "" };
  expect(redactValue({ opentelemetry: { headers, endpoint: "http://a" } }, env)).toEqual({
    opentelemetry: {
      headers: { authorization: `Bearer \${OTLP_TOKEN}`, "x-key": "…", team: "…" },
      endpoint: "http://a",
    },
  });
});

test("one header alone is masked, too", () => {
  expect(redactValue("abc", env, ["opentelemetry", "headers", "x-key"])).toBe("…");
  expect(redactValue("abc", env, ["opentelemetry", "service_name"])).toBe("abc");
});
