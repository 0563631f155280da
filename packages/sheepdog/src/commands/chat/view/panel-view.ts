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
import type { ViewOptions } from "./view-options.ts";
import { editorLines } from "./editor-lines.ts";

/** The list of sessions, or the evidence of an intervention, in at most `rows` lines. */
export function panelView(panel: Panel, look: ViewOptions, rows: number): Drawing {
  return panel.type === "sessions" ? sessionsView(panel, look, rows) : evidenceView(panel, look, rows);
}

function sessionsView(
  panel: Extract<Panel, { type: "sessions" }>,
  { style, columns, signs }: ViewOptions,
  rows: number,
): Drawing {
  const found = matchingSessions(panel);
  const label = "Find: ";
  const query = editorLines(panel.query, Math.max(1, columns - label.length), 1);
  const room = Math.max(0, rows - 2);
  const top = Math.max(0, Math.min(panel.at - Math.floor(room / 2), found.length - room));
  const listed = found.slice(top, top + room).map((session, place) => {
    const isChosen = top + place === panel.at;
    const line = cut(`${isChosen ? signs.prompt : " "} ${sessionLine(session, columns)}`, columns);
    return isChosen ? style.bold(line) : line;
  });
  const count =
    found.length === 0 ? "No session has all of these words." : `${found.length} of ${panel.all.length} sessions`;
  return {
    lines: [
      `${style.cyan(label)}${query.lines[0] ?? ""}`,
      ...listed,
      style.dim(cut(`${count} ${signs.dot} Enter opens ${signs.dot} Esc leaves`, columns)),
    ].slice(0, rows),
    cursor: { x: label.length + query.x, y: 0 },
  };
}

/** When, what it cost, how it ended, and what was asked. */
function sessionLine({ sessionId, updatedAt, lastRun, holder }: SessionSummary, columns: number): string {
  const state =
    holder !== undefined ? "in use" : lastRun?.state === "running" ? "broke off" : (lastRun?.reason ?? "empty");
  const cost =
    lastRun?.costNanoUsd === undefined || lastRun.costNanoUsd === null
      ? ""
      : dollars(lastRun.costNanoUsd / 1_000_000_000);
  const head =
    columns < 60
      ? fit(shortDate(updatedAt), 11)
      : `${fit(shortDate(updatedAt), 12)} ${fit(cost, 7, "right")}  ${fit(plainText(state), 14)}`;
  const prompt = plainText((lastRun?.prompt ?? sessionId).slice(0, 1_000));
  const tail = columns < 100 ? "" : `  ${sessionId}`;
  const room = Math.max(1, columns - widthOf(head) - widthOf(tail) - 6);
  return `${head}  ${tail === "" ? cut(prompt, room) : fit(prompt, room)}${tail}`;
}

function shortDate(at: number): string {
  return new Date(at)
    .toLocaleString("en-GB", { day: "2-digit", month: "short", hour: "2-digit", minute: "2-digit" })
    .replace(",", "");
}

function evidenceView(
  { intervention, calls, top }: Extract<Panel, { type: "evidence" }>,
  { style, columns, signs }: ViewOptions,
  rows: number,
): Drawing {
  const { detector, level, message, tool, costNanoUsd, isApplied } = intervention;
  const width = Math.max(1, columns - 2);
  const cost = costNanoUsd === undefined ? "" : ` ${signs.dot} cost so far ${dollars(costNanoUsd / 1_000_000_000)}`;
  const times = repetitionCount(intervention);
  const counted = times === undefined ? "" : ` ${signs.dot} counted ${times}×`;
  const head = `${isApplied ? "" : "would have: "}${level} ${signs.dot} ${detector}${counted}${cost}`;
  const offers = isLimit(detector)
    ? `/budget sets the limit of a run anew ${signs.dot} Esc closes`
    : `${tool === undefined ? "" : `t mute ${detector} for ${plainText(tool)} ${signs.dot} `}m mute ${detector} for this run ${signs.dot} Esc closes`;
  const keys = plainLines(offers, width).map(style.cyan);
  const shown = calls
    .slice(top)
    .flatMap(({ call, outcome }, place) => [
      cut(`${top + place + 1}. ${call}`, width),
      style.dim(cut(`   ${outcome}`, width)),
    ]);
  const body = [style.bold(cut(head, width)), ...plainLines(message, width), ...shown];
  const lines = [...body.slice(0, Math.max(1, rows - keys.length)), ...keys].slice(-rows);
  return { lines: lines.map((line) => `${style.yellow(signs.bar)} ${line}`) };
}
