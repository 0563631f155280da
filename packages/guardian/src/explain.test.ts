import { expect, test } from "vitest";
import { explain } from "./explain.ts";
import { call, play, times } from "./testing/index.ts";

test("an intervention is explained by its evidence", () => {
  const [hint] = play(times(3, () => call("ls", {}, "a b c"))).interventions;
  if (hint === undefined) throw new Error("expected a hint, got none");
  expect(explain(hint, (index) => `ls #${index}`)).toBe(
    [
      "doom-loop: hint after call 2 (tell), 3 equal calls counted",
      "  call 0  ls #0",
      "  call 1  ls #1",
      "  call 2  ls #2",
      `  said: ${hint.message}`,
    ].join("\n"),
  );
});
