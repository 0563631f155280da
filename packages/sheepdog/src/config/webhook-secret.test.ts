import { expect, test } from "vitest";
import { readChannels } from "../channels/channel-settings.ts";
import { channelTable } from "./channel-keys.ts";
import { findChannelProblems } from "./channel-rules.ts";
import { webhookSecretProblem } from "./webhook-secret.ts";

const weak = ["whsec_", "whsec_c2hvcnQ=", "whsec_not base64 at all, but long enough", `whsec_${"!".repeat(40)}`];
const table = { type: "webhook", url: "https://example.org/in" } as const;

test.each(weak)("the secret %s cannot sign anything, and the channel is not used", (secret) => {
  expect(webhookSecretProblem(secret)).toContain("at least 16 bytes");
  const problem = { key: "secret", sentence: expect.stringContaining("whsec_") };
  expect(findChannelProblems("hook", channelTable.parse({ ...table, secret }))).toEqual([problem]);
  const channels = { hook: channelTable.parse({ ...table, secret_env: "HOOK_SECRET" }) };
  expect(readChannels({ channels }, { HOOK_SECRET: secret })).toEqual({
    channels: [],
    problems: [expect.stringContaining("The channel hook is not used: it has a secret that begins with whsec_")],
  });
});

test("a secret of 16 bytes or more, and any other text, can sign", () => {
  expect(webhookSecretProblem(`whsec_${Buffer.alloc(16, 7).toString("base64")}`)).toBeUndefined();
  expect(webhookSecretProblem("any text")).toBeUndefined();
});
