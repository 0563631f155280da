import type { AgentEvent } from "@sheepdog/agent";
import { type CallItem, createLiveItems, type Item } from "@sheepdog/agent/timeline";
import { describeCall } from "../../render/terminal/describe-call.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { cut } from "../../render/terminal/width.ts";
import { outcomeText } from "../../render/timeline/call-item-lines.ts";
import { verdictText } from "../../render/timeline/goal-lines.ts";
import { opinionText } from "../../render/timeline/item-lines.ts";
import type { Marks } from "../../render/timeline/marks.ts";
import { tailLines } from "../../render/timeline/output-tail.ts";
import { withoutOutsideTag } from "../../render/timeline/outside-tag.ts";
import { createRepeatFilter } from "../../render/timeline/repeat-filter.ts";
import { repetitionCount } from "../../render/timeline/repetition-count.ts";
import { isVerboseOnly } from "../../render/timeline/verbose-only.ts";

/** A log of a run for a file or a pipe. Returns the lines that an event adds. */
export type TurnLog = (event: AgentEvent) => readonly string[];

/** Columns. */
const MAX_CALL_WIDTH = 60;
const MAX_PROBLEM_WIDTH = 100;
const MAX_CALLS = 8;

/**
 * One line for each turn with its calls, and one for each intervention, refusal, retry, problem and verdict. The nodes
 * of a plan have a line each: the turn of a director lasts as long as its plan.
 */
export function createTurnLog(marks: Marks): TurnLog {
  const items = createLiveItems();
  const isNew = createRepeatFilter();
  let calls: CallItem[] = [];
  const takeTurnLine = (): readonly string[] => {
    const line = turnLine(calls, marks);
    calls = [];
    return line;
  };
  return (event) => {
    const lines: string[] = [];
    for (const item of items.add(event)) {
      if (item.type === "call") calls.push(item);
      if (item.type === "guardian" || item.type === "end") lines.push(...takeTurnLine());
      if (isNew(item)) lines.push(...itemLine(item));
    }
    return event.type === "TurnComplete" ? [...takeTurnLine(), ...lines] : lines;
  };
}

function turnLine(calls: readonly CallItem[], marks: Marks): readonly string[] {
  const [first] = calls;
  if (first === undefined) return [];
  const shown = calls.slice(0, MAX_CALLS).map((call) => callText(call, marks));
  const more = calls.length > shown.length ? [`and ${calls.length - shown.length} more`] : [];
  return [`turn ${first.turn + 1}: ${[...shown, ...more].join(` ${marks.dot} `)}`];
}

function callText(call: CallItem, marks: Marks): string {
  const text = cut(describeCall({ name: call.tool, args: call.input }), MAX_CALL_WIDTH);
  const outcome = `${text} ${outcomeText(call, marks)}`;
  if (call.status === "ok" || call.status === "blocked" || call.content === undefined) return outcome;
  const [lastLine = ""] = tailLines(withoutOutsideTag(call.content).replace(/\n\[exit code \d+\]$/, ""), 1);
  return lastLine === "" ? outcome : `${outcome} (${cut(lastLine, MAX_PROBLEM_WIDTH)})`;
}

function itemLine(item: Item): readonly string[] {
  if (item.type === "guardian") {
    const { level, detector, isApplied, message } = item.intervention;
    const count = repetitionCount(item.intervention);
    const cause = `${detector}${count === undefined ? "" : `, ${count} times`}`;
    return [`sheepdog: ${isApplied ? "" : "would have said "}${level} (${cause}): ${plainText(message)}`];
  }
  if (item.type === "call" && item.blockedBy === "gate") {
    const call = cut(describeCall({ name: item.tool, args: item.input }), MAX_CALL_WIDTH);
    return [`sheepdog: refused ${call}: ${plainText(item.content ?? "")}`];
  }
  if (item.type === "note" && item.severity !== "info") return [`sheepdog: ${plainText(item.text)}`];
  if (item.type === "plan") return [`sheepdog: ${plainText(item.text)}`];
  if (item.type === "verdict") return isVerboseOnly(item) ? [] : [`sheepdog: ${verdictText(item)}`];
  if (item.type === "opinion") return [`sheepdog: ${opinionText(item)}`];
  return item.type === "recovered" ? ["sheepdog: recovered"] : [];
}
