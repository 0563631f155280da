import { redactSecrets } from "@sheepdog/guardian/secrets";
import { expect, test } from "vitest";
import { maskedArgs } from "./spool-text.ts";

test("a secret is masked by its form, and by the name of its field whatever it looks like", () => {
  const args = {
    password: "hunter2horse",
    env: { OPENAI_API_KEY: "sk-proj-abcdefghijklmnopqrstuvwxyz123456", CI: "true" },
    credentials: { user: "ada" },
    headers: ["Authorization: Bearer abcdef123456abcdef"],
    isSecret: true,
    path: "src/password.ts",
  };
  expect(maskedArgs(args, redactSecrets)).toEqual({
    password: "…",
    env: { OPENAI_API_KEY: "…", CI: "true" },
    credentials: "…",
    headers: [expect.not.stringContaining("abcdef123456")],
    isSecret: true,
    path: "src/password.ts",
  });
});
