import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { attendedHelp } from "./attended.ts";

test("the help states the counts of the default policy, attended or not", () => {
  const help = attendedHelp((title) => title).replaceAll(/\s+/g, " ");
  const { hint, warn, block, halt } = defaultPolicy.detectors["failing-call"] ?? {};
  expect(help).toContain(
    `a hint at ${hint} equal calls, a warning at ${warn}, a refusal at ${block}, the end at ${halt}.`,
  );
  expect(defaultPolicy.attendedScale).toBe(1);
});
