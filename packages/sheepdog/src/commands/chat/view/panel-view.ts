import type { SessionSummary } from "@sheepdog/agent";
import { dollars } from "../../../render/terminal/amounts.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { cut, fit, widthOf } from "../../../render/terminal/width.ts";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { plainLines } from "../../../render/timeline/plain-lines.ts";
import { repetitionCount } from "../../../render/timeline/repetition-count.ts";
import type { Panel } from "../state/chat-state.ts";
import { matchingSessions } from "../state/sessions-keys.ts";
import type { Drawing } from "./drawing.ts";
import { editorLines } from "./editor-lines.ts";
import type { ViewOptions } from "./view-options.ts";

/** The list of sessions, or the evidence of an intervention, in at most `rows` lines. */
export function panelView(panel: Panel, options: ViewOptions, rows: number): Drawing {
  return panel.type === "sessions" ? sessionsView(panel, options, rows) : evidenceView(panel, options, rows);
}

function sessionsView(
  panel: Extract<Panel, { type: "sessions" }>,
  { style, columns, symbols }: ViewOptions,
  rows: number,
): Drawing {
  const matching = matchingSessions(panel);
  const label = "Find: ";
  const query = editorLines(panel.query, { columns: Math.max(1, columns - label.length), rows: 1 });
  const listRows = Math.max(0, rows - 2);
  const top = Math.max(0, Math.min(panel.selected - Math.floor(listRows / 2), matching.length - listRows));
  const listed = matching.slice(top, top + listRows).map((session, index) => {
    const isSelected = top + index === panel.selected;
    const line = cut(`${isSelected ? symbols.prompt : " "} ${sessionLine(session, columns)}`, columns);
    return isSelected ? style.bold(line) : line;
  });
  const count =
    matching.length === 0 ? "No session has all of these words." : `${matching.length} of ${panel.all.length} sessions`;
  return {
    lines: [
      `${style.cyan(label)}${query.lines[0] ?? ""}`,
      ...listed,
      style.dim(cut(`${count} ${symbols.dot} Enter opens ${symbols.dot} Esc closes`, columns)),
    ].slice(0, rows),
    cursor: { x: label.length + query.x, y: 0 },
  };
}

/** The date, cost, state and prompt of a session. */
function sessionLine({ sessionId, updatedAt, lastRun, holder }: SessionSummary, columns: number): string {
  const state =
    holder !== undefined ? "in use" : lastRun?.state === "running" ? "interrupted" : (lastRun?.reason ?? "empty");
  const cost =
    lastRun?.costNanoUsd === undefined || lastRun.costNanoUsd === null
      ? ""
      : dollars(lastRun.costNanoUsd / 1_000_000_000);
  const head =
    columns < 60
      ? fit(dateAndTime(updatedAt), 11)
      : `${fit(dateAndTime(updatedAt), 12)} ${fit(cost, 7, "right")}  ${fit(plainText(state), 14)}`;
  const prompt = plainText((lastRun?.prompt ?? sessionId).slice(0, 1_000));
  const tail = columns < 100 ? "" : `  ${sessionId}`;
  const promptWidth = Math.max(1, columns - widthOf(head) - widthOf(tail) - 6);
  return `${head}  ${tail === "" ? cut(prompt, promptWidth) : fit(prompt, promptWidth)}${tail}`;
}

function dateAndTime(at: number): string {
  return new Date(at)
    .toLocaleString("en-GB", { day: "2-digit", month: "short", hour: "2-digit", minute: "2-digit" })
    .replace(",", "");
}

function evidenceView(
  { intervention, calls, top }: Extract<Panel, { type: "evidence" }>,
  { style, columns, symbols }: ViewOptions,
  rows: number,
): Drawing {
  const { detector, level, message, tool, costNanoUsd, isApplied } = intervention;
  const width = Math.max(1, columns - 2);
  const separator = ` ${symbols.dot} `;
  const count = repetitionCount(intervention);
  const head = [
    `${isApplied ? "" : "would have: "}${level}`,
    detector,
    ...(count === undefined ? [] : [`counted ${count}×`]),
    ...(costNanoUsd === undefined ? [] : [`cost so far ${dollars(costNanoUsd / 1_000_000_000)}`]),
  ].join(separator);
  const actions = isLimit(detector)
    ? ["/budget changes the limit of a run"]
    : [...(tool === undefined ? [] : [`t mute ${detector} for ${plainText(tool)}`]), `m mute ${detector} for this run`];
  const keys = plainLines([...actions, "Esc closes"].join(separator), width).map(style.cyan);
  const callLines = calls
    .slice(top)
    .flatMap(({ call, outcome }, index) => [
      cut(`${top + index + 1}. ${call}`, width),
      style.dim(cut(`   ${outcome}`, width)),
    ]);
  const body = [style.bold(cut(head, width)), ...plainLines(message, width), ...callLines];
  const lines = [...body.slice(0, Math.max(1, rows - keys.length)), ...keys].slice(-rows);
  return { lines: lines.map((line) => `${style.yellow(symbols.bar)} ${line}`) };
}
