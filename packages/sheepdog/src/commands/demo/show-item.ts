import type { RunResult } from "@sheepdog/agent";
import type { Item } from "../../render/timeline/item.ts";
import { linesOf } from "../../render/timeline/lines.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import type { Stage } from "./stage.ts";

/** An item as `run` and `show` have it, without what a first look can do without; a run that was ended with what it leaves behind. */
export function showItem(item: Item, stage: Stage): readonly string[] {
  switch (item.type) {
    case "end":
      return [...linesOf(item, stage), ...summaryLines(item.result, stage)];
    case "call":
      return linesOf(item.content === undefined ? item : { ...item, content: withoutExitCode(item.content) }, stage);
    case "guardian":
      if (item.intervention.denies !== undefined && item.intervention.level !== "halt") return []; // said where the call is shown
      return linesOf({ ...item, intervention: { ...item.intervention, evidence: [] } }, stage);
    default:
      return linesOf(item, stage);
  }
}

/** The mark of the call tells as much. */
function withoutExitCode(content: string): string {
  return content.replace(/\n\[exit code \d+\]$/, "");
}

/** What was done, what failed, and the last words. How it would go on is left out: its project goes with the demo. */
function summaryLines({ state, text, problem }: RunResult, { style, width }: Stage): readonly string[] {
  if (state === "completed") return [];
  const left = text.split("\n").filter((line) => line !== problem && !line.startsWith("To go on: "));
  return plainLines(left.join("\n"), width - 2).map((line) => style.dim(`  ${line}`));
}
