import { expect, test, vi } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { openTestHome } from "../../test/test-home.ts";
import { loopCosts, loopSentence } from "./loop-costs.ts";

const file = scratchFolder();

test("the sentence about loops fits one, several, and unknown costs", () => {
  const sentence = (loops: number, unknown: number) =>
    loopSentence({ loops, unknown, costNanoUsd: 20_000_000 })?.replace(/^The guardian noticed /, "");
  expect(sentence(0, 0)).toBeUndefined();
  expect(sentence(1, 0)).toBe("1 loop. It cost $0.020.");
  expect(sentence(1, 1)).toBe("1 loop. What it cost is unknown.");
  expect(sentence(2, 2)).toBe("2 loops. What they cost is unknown.");
  expect(sentence(2, 0)).toBe("2 loops. Together they cost $0.020.");
  expect(sentence(3, 1)).toBe(
    "3 loops. Together they cost $0.020. " + "This does not include 1 of them, whose cost is unknown.",
  );
});

test("the events of sessions that ended before the time are not read", async () => {
  const { runPrompt, stores, close } = await openTestHome(await file("home"));
  await runPrompt("ses_a", "Say hello.", [{ text: "Hello." }]);
  const after = vi.fn(stores.events.after);
  const counted = { ...stores, events: { ...stores.events, after } };
  await loopCosts(counted, Date.now() + 1_000);
  expect(after).not.toHaveBeenCalled();
  await loopCosts(counted, Date.now() - 3_600_000);
  expect(after).toHaveBeenCalledOnce();
  await close();
});
