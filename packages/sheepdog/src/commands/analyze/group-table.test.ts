import { expect, test } from "vitest";
import { lookBackOf, lookedAt } from "../../../test/look-back-runs.ts";
import { styleFor } from "../../render/terminal/style.ts";
import { groupTable } from "./group-table.ts";

const style = styleFor({ write: () => true }, {});

function runOf(id: string, facts: object): string {
  const call = { name: "bash", args: { command: `make ${id}` }, result: "ok", isError: false };
  return JSON.stringify({ id, steps: [{ text: "", ...facts, calls: [call] }] });
}

test("tokens of a model without a name have no price", () => {
  const runs = [runOf("a", { usage: { inputTokens: 5_000 } }), runOf("b", { model: "m", usage: { costUsd: 1 } })];
  const lookBack = lookBackOf(runs.map((run) => lookedAt(run)));
  const lines = groupTable(lookBack, "model", { max: 5, order: "circles", width: 80, style, canDraw: false });
  expect(lines.map((line) => line.trim().replace(/\s+/g, " "))).toEqual([
    "BY MODEL COST IN CIRCLES CALLS IN CIRCLES",
    "m $0.00 of $1.00 0 of 1",
    "unknown model price unknown 0 of 1",
  ]);
});
