import type { RunResult } from "@sheepdog/agent";
import type { Item } from "@sheepdog/agent/timeline";
import { itemLines } from "../../render/timeline/item-lines.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import type { DemoScreen } from "./demo-screen.ts";

/** An item as `run` and `show` format it, with fewer details, and with the summary of a run that was stopped. */
export function demoItemLines(item: Item, screen: DemoScreen): readonly string[] {
  switch (item.type) {
    case "end":
      return [...itemLines(item, screen), ...summaryLines(item.result, screen)];
    case "call":
      return itemLines(item.content === undefined ? item : { ...item, content: withoutExitCode(item.content) }, screen);
    case "guardian":
      // The refused call shows the refusal.
      if (item.intervention.denies !== undefined && item.intervention.level !== "halt") return [];
      return itemLines({ ...item, intervention: { ...item.intervention, evidence: [] } }, screen);
    default:
      return itemLines(item, screen);
  }
}

/** The mark of the call already says whether it failed. */
function withoutExitCode(content: string): string {
  return content.replace(/\n\[exit code \d+\]$/, "");
}

/** What was done and what failed. The line about resuming is left out: the demo removes the project. */
function summaryLines({ state, text, problem, sessionId }: RunResult, screen: DemoScreen): readonly string[] {
  if (state === "completed") return [];
  const summary = text.split("\n").filter((line) => line !== problem && !line.includes(sessionId));
  return plainLines(summary.join("\n"), screen.width - 2).map((line) => screen.style.dim(`  ${line}`));
}
