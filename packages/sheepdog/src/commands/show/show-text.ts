import { duration, type Item } from "@sheepdog/agent/timeline";
import type { Intervention } from "@sheepdog/guardian";
import { graphSections } from "../../render/graph/graph-lines.ts";
import type { PlanGraph } from "../../render/graph/plan-graph.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { hintLines } from "../../render/terminal/command-lines.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { widthOf } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { repeatedItemLines } from "../../render/timeline/item-lines.ts";
import type { Marks } from "../../render/timeline/marks.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { isVerboseOnly } from "../../render/timeline/verbose-only.ts";
import type { NoticeEffect, NumberedCall } from "../../saved-runs/notice-effect.ts";
import { type ResumeContext, resumeHint } from "../../saved-runs/resume-command.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { clip } from "./clip.ts";
import { collapse, groupByTurns, type RepeatedItem, type TurnGroup } from "./collapse.ts";
import { type PlanCosts, planCostsText } from "./plan-costs.ts";

/** A run and everything that `show` prints about it. */
export interface RunDetails {
  readonly savedRun: RunSummary;
  /** Where the command was called. */
  readonly here: ResumeContext;
  readonly items: readonly Item[];
  readonly costs: ReadonlyMap<number, number | null>;
  readonly calls: readonly NumberedCall[];
  /** The plans of a director, oldest first. */
  readonly graphs: readonly PlanGraph[];
  /** Present if there is a plan. */
  readonly planCosts?: PlanCosts;
  readonly effectOf: (intervention: Intervention) => NoticeEffect;
  /** Present if another agent has recorded the run: without an attached guardian, what it says is hypothetical. */
  readonly recorded?: RecordedFacts;
}

/** Where a recording is from, and how it says that it ended. */
interface RecordedFacts {
  readonly agent: string;
  readonly file: string;
  readonly line: number;
  readonly outcome: string | null;
  /** The name of the policy by which the guardian judges it. */
  readonly policy: string;
  /** Hooks recorded it: what the guardian says was said to the agent. */
  readonly isAttached: boolean;
  /** The id of the session in which hooks recorded the same run. */
  readonly attachedSession?: string;
}

/** How the timeline is formatted. */
export interface ShowLayout {
  readonly style: Style;
  readonly width: number;
  readonly marks: Marks;
  /** Shows everything: thinking, more of each output, and each repeated call. */
  readonly isFull: boolean;
}

/** A run as a timeline: sections with an empty line between them. */
export function showText(details: RunDetails, layout: ShowLayout): readonly string[] {
  return [...sections(details, layout)]
    .filter(({ length }) => length > 0)
    .flatMap((section, index) => (index === 0 ? section : ["", ...section]));
}

function* sections(details: RunDetails, layout: ShowLayout): Generator<readonly string[]> {
  const { items, costs } = details;
  const linesOf = (item: RepeatedItem) => linesWithEffect(item, details, layout);
  yield headLines(details, layout);
  const visible = layout.isFull ? items : items.filter((item) => !isFullOnly(item) && !isShownByCall(item, items));
  const repeated = layout.isFull ? visible.flatMap((item) => collapse([item])) : collapse(visible);
  let end: readonly string[] = [];
  for (const group of groupByTurns(withPromptTurns(repeated))) {
    const itemsOf = (type: Item["type"]) => group.items.filter(({ item }) => item.type === type);
    for (const prompt of itemsOf("prompt")) yield linesOf(prompt);
    const inTurns = group.items.filter(({ item }) => item.type !== "prompt" && item.type !== "end");
    if (inTurns.length > 0) yield [turnLine(group, costs, layout), ...inTurns.flatMap(linesOf)];
    end = itemsOf("end").flatMap(linesOf);
  }
  yield* graphSections(details.graphs, layout);
  yield planTail(details, layout);
  yield [...end, ...tailLines(details, layout)];
}

/** Whether an item is shown with `--full` only. The graph shows plans. */
function isFullOnly(item: Item): boolean {
  return isVerboseOnly(item) || item.type === "plan";
}

/** The costs of a director, and how to see a node. */
function planTail({ savedRun, graphs, planCosts, here }: RunDetails, { style, width }: ShowLayout): readonly string[] {
  if (planCosts === undefined) return [];
  const sessionId = graphs.at(-1)?.nodes.findLast((node) => node.sessionId !== undefined)?.sessionId;
  const hint = `To see a node: ${here.program ?? "sheepdog"} show ${sessionId ?? ""}`;
  return [
    ...plainLines(planCostsText(planCosts, savedRun.costNanoUsd), width),
    ...(sessionId === undefined ? [] : hintLines(plainText(hint), width).map(style.dim)),
  ];
}

/** Whether the refused call already shows this refusal. A refusal that ends the run is always shown. */
function isShownByCall(item: Item, items: readonly Item[]): boolean {
  const callId =
    item.type === "guardian" && item.intervention.level !== "halt" ? item.intervention.denies?.callId : undefined;
  return (
    callId !== undefined &&
    items.some((other) => other.type === "call" && other.callId === callId && other.blockedBy === "guardian")
  );
}

/** Puts each prompt into the turn that follows it. */
function withPromptTurns(items: readonly RepeatedItem[]): readonly RepeatedItem[] {
  return items.map((each, index) => {
    if (each.item.type !== "prompt") return each;
    const from = items.slice(index + 1).find(({ item }) => "turn" in item)?.from ?? each.from;
    return { ...each, from, to: from };
  });
}

function headLines({ savedRun, graphs, recorded }: RunDetails, { style, width }: ShowLayout): readonly string[] {
  const { sessionId, run, isDemo } = savedRun;
  const nodeSessions = new Set(graphs.flatMap(({ nodes }) => nodes.map((node) => node.sessionId)));
  const subagents = savedRun.subagents.filter((subagent) => !nodeSessions.has(subagent.sessionId));
  const subagentIds = subagents.map((subagent) => subagent.run.runId).join(", ");
  const facts = [
    ...(recorded === undefined
      ? [`run ${run.runId}`, `session ${sessionId}`]
      : [`recording ${run.runId}`, recorded.agent, `${recorded.file}:${recorded.line}`]),
    isDemo ? "a demo, nothing was paid for it" : undefined,
    run.model,
    run.workspace,
    run.startedAt === 0 ? undefined : `started ${new Date(run.startedAt).toLocaleString("sv-SE")}`,
    run.endedAt === undefined || run.startedAt === 0
      ? undefined
      : `took ${duration(Math.max(0, run.endedAt - run.startedAt))}`,
    subagents.length === 0 ? undefined : `${counted(subagents.length, "subagent")}: ${subagentIds}`,
  ].filter((fact) => fact !== undefined);
  return factLines(facts.map(plainText), width).map(style.dim);
}

/** Facts with a dot between those on the same line. A fact longer than a line is broken. */
function factLines(facts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const fact of facts) {
    const longer = [...lines.slice(-1), fact].join(" · ");
    if (widthOf(longer) <= width) lines.splice(-1, 1, longer);
    else lines.push(...plainLines(fact, width));
  }
  return lines;
}

function turnLine({ from, to }: TurnGroup, costs: RunDetails["costs"], { style }: ShowLayout): string {
  const turns = from === to ? `turn ${from + 1}` : `turns ${from + 1}–${to + 1}`;
  const turnCosts = Array.from({ length: to - from + 1 }, (_, offset) => costs.get(from + offset)).filter(
    (cost) => cost !== undefined,
  );
  if (turnCosts.length === 0) return style.dim(turns);
  const sum = turnCosts.reduce<number | null>(
    (total, cost) => (total === null || cost === null ? null : total + cost),
    0,
  );
  return style.dim(`${turns} · ${sum === null ? "price unknown" : dollars(sum / 1e9)}`);
}

function linesWithEffect(
  { item, times }: RepeatedItem,
  { calls, effectOf, savedRun }: RunDetails,
  { style, width, marks, isFull }: ShowLayout,
): readonly string[] {
  const lines = repeatedItemLines(
    { item: isFull ? item : clip(item, `sheepdog show ${savedRun.run.runId} --full`), times },
    { style, width, marks, verbose: isFull, callAt: (index) => calls[index] },
  );
  const effect = item.type === "guardian" ? effectText(effectOf(item.intervention)) : undefined;
  return [
    ...lines,
    ...(effect === undefined ? [] : wrap(effect, width - 4).map((line) => `  ${style.dim(`${marks.bar} ${line}`)}`)),
  ];
}

function effectText({ followed, recovered }: NoticeEffect): string | undefined {
  if (followed === null) return recovered ? "The run recovered." : undefined;
  if (!followed) return "Not followed: the agent repeated the call, or nearly the same call.";
  return recovered
    ? "Followed: the next call was different, and the run recovered."
    : "Followed: the next call was different.";
}

/** How the run ended if no item says so, and how to stop or continue it. */
function tailLines({ savedRun, here, recorded }: RunDetails, { style, width }: ShowLayout): readonly string[] {
  if (recorded !== undefined) return recordedTail(savedRun, recorded, { style, width });
  const { state, run, turns, costNanoUsd } = savedRun;
  const cost = costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9);
  const stateText = `${capitalized(describeState(savedRun))} (${counted(turns, "turn")}, ${cost}).`;
  const resume = resumeHint(savedRun, here);
  const stop = `To stop it: ${here.program ?? "sheepdog"} stop ${run.billingSessionId ?? run.runId}`;
  return [
    ...(run.endedAt === undefined ? plainLines(stateText, width).map(style.yellow) : []),
    ...(state === "waiting_for_input" ? plainLines("Answer it in the terminal in which it was started.", width) : []),
    ...(isLive(state) ? hintLines(stop, width).map(style.dim) : []),
    ...(resume === undefined ? [] : hintLines(resume, width)),
  ];
}

/** What a recording came to. */
function recordedTail(
  summary: RunSummary,
  { outcome, policy, isAttached, attachedSession }: RecordedFacts,
  { style, width }: Pick<ShowLayout, "style" | "width">,
): readonly string[] {
  const { turns, costNanoUsd, interventions } = summary;
  const cost = costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9);
  if (isAttached)
    return plainLines(`${capitalized(describeState(summary))} (${counted(turns, "turn")}, ${cost}).`, width);
  const end = outcome === null ? "The recording ends here" : `Outcome in the recording: ${plainText(outcome)}`;
  const said = `What the guardian says here is what it would have said under the policy ${policy}`;
  const note = attachedSession === undefined ? `${said}: it did not watch this run.` : `${said}.`;
  return [
    ...plainLines(`${end} (${counted(turns, "turn")}, ${cost}).`, width),
    ...(interventions.count === 0 ? [] : plainLines(note, width).map(style.dim)),
    ...(attachedSession === undefined
      ? []
      : hintLines(`What it did in this session: sheepdog show ${attachedSession}`, width)),
  ];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
