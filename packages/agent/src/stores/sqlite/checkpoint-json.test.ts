import { createGuardian } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { checkpointJson } from "./checkpoint-json.ts";

test("is what JSON.stringify makes of it, turn by turn", () => {
  let at = 0;
  const guardian = createGuardian({ now: () => at, run: 'run "1"' });
  for (let turn = 0; turn < 300; turn += 1) {
    at += 1_000;
    const id = `call_${turn}`;
    guardian.beforeCall({ id, tool: 'a "tool"', args: { path: `file ${turn % 90}` } });
    guardian.afterCall(id, { status: turn % 7 === 0 ? "error" : "ok", content: `"${turn % 40}" \u2028 ü` });
    guardian.endTurn();
    if (turn % 50 === 0) guardian.message("so");
    const total = { input: turn, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
    const checkpoint = { runId: "run_1", turn, guardian: guardian.snapshot(), total, costNanoUsd: null, recovered: { length: 0, empty: 0 } };
    expect(JSON.parse(checkpointJson(checkpoint))).toEqual(JSON.parse(JSON.stringify(checkpoint)));
  }
});
