import { wholeDuration } from "@sheepdog/agent/timeline";
import { counted, dollars } from "../terminal/amounts.ts";
import { describeCall } from "../terminal/describe-call.ts";
import { plainText } from "../terminal/plain-text.ts";
import { shortNumber } from "../terminal/short-number.ts";
import type { Style } from "../terminal/style.ts";
import { cut, widthOf } from "../terminal/width.ts";
import type { Marks } from "./marks.ts";
import { tailLines } from "./output-tail.ts";
import { costSoFar, type PlanProgress, type RunStatus } from "./run-status.ts";
import type { Waiting } from "./waiting.ts";

export interface StatusLineOptions {
  readonly style: Style;
  readonly width: number;
  /** Of the terminal. */
  readonly rows: number;
  readonly marks: Marks;
  /** Milliseconds. */
  readonly now: number;
}

const MAX_TAIL_LINES = 5;
const FRAME_MS = 100;

/** What a run waits for and what it has used so far, below the newest output of a command; empty if it waits for
 * nothing. */
export function statusLines(status: RunStatus, options: StatusLineOptions): readonly string[] {
  const { style, width, rows, marks, now } = options;
  const { waiting } = status;
  if (waiting.for === "nothing") return [];
  const frame = marks.spinner[Math.floor(now / FRAME_MS) % marks.spinner.length] ?? "";
  const columns = width - 1 - widthOf(frame) - 4; // the last column stays free: some terminals wrap there
  const facts = factsText(status, { waiting, now, dot: marks.dot, max: Math.max(12, Math.floor(columns / 2)) });
  const what = cut(waitingText(waiting, status, now), Math.max(4, columns - widthOf(facts)));
  const maxTail = Math.max(0, Math.min(MAX_TAIL_LINES, rows - 4));
  const tail = maxTail === 0 ? [] : tailLines(status.calls.at(-1)?.output ?? "", maxTail);
  return [
    ...tail.map((line) => style.dim(`    ${cut(line, width - 5)}`)),
    `${style.cyan(frame)} ${what}  ${style.dim(facts)}`,
  ];
}

function waitingText(
  waiting: Exclude<Waiting, { for: "nothing" }>,
  { calls, plan }: Pick<RunStatus, "calls" | "plan">,
  now: number,
): string {
  const [first, ...others] = calls;
  switch (waiting.for) {
    case "calls": {
      if (first === undefined) return "waiting for the model";
      if (plan !== undefined && plan.running.length > 0) return nodesText(plan);
      const call = describeCall({ name: first.tool, args: first.input });
      return others.length === 0 ? call : `${others.length + 1} calls: ${call}`;
    }
    case "call-input":
      return `the model writes a call of ${waiting.tool}`;
    case "retry": {
      const seconds = Math.ceil((waiting.until - now) / 1_000);
      return seconds <= 0 ? "waiting for the model" : `retry in ${wholeDuration(seconds)} (attempt ${waiting.attempt})`;
    }
    case "budget":
      return "waiting for a budget that other requests hold";
    case "thinking":
      return "the model is thinking";
    case "model":
      return "waiting for the model";
    default:
      return waiting satisfies never;
  }
}

/** `3 of 7 nodes done, running: build, test` */
function nodesText({ total, ended, running }: PlanProgress): string {
  return `${ended.length} of ${counted(total, "node")} done, running: ${running.map(plainText).join(", ")}`;
}

function elapsedText(waiting: Waiting, now: number): string {
  return "since" in waiting ? wholeDuration(Math.max(0, Math.floor((now - waiting.since) / 1_000))) : "";
}

interface FactOptions {
  readonly waiting: Waiting;
  readonly now: number;
  readonly dot: string;
  /** Columns. */
  readonly max: number;
}

/** The time, tokens and cost. If they are too wide, the tokens are left out first, then the cost. */
function factsText(status: RunStatus, { waiting, now, dot, max }: FactOptions): string {
  const { tokens } = status;
  const costNanoUsd = costSoFar(status);
  const elapsed = elapsedText(waiting, now);
  const cost = tokens === 0 ? "" : costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9);
  const tokenText = tokens === 0 ? "" : `${shortNumber(tokens)} tokens`;
  const choices = [[elapsed, tokenText, cost], [elapsed, cost], [elapsed]].map((facts) =>
    facts.filter((fact) => fact !== "").join(` ${dot} `),
  );
  return choices.find((text) => widthOf(text) <= max) ?? "";
}
