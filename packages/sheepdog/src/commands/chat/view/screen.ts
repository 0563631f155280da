import { plainText } from "../../../render/terminal/plain-text.ts";
import { cut } from "../../../render/terminal/width.ts";
import { commands, completions } from "../commands/commands.ts";
import type { ChatState } from "../state/chat-state.ts";
import { cardView } from "./card-view.ts";
import type { Drawing } from "./drawing.ts";
import { editorLines } from "./editor-lines.ts";
import { footer } from "./footer.ts";
import { liveView } from "./live-view.ts";
import { panelView } from "./panel-view.ts";
import type { ViewOptions } from "./view-options.ts";

const MAX_NOTICE_LINES = 3;

/** The part of the window that changes: never wider than the window, and always one line shorter. */
export function screenOf(state: ChatState, options: ViewOptions): Drawing {
  const maxRows = Math.max(1, options.rows - 1);
  const footerLines = maxRows > 1 ? [footer(state, options)] : [];
  const input = inputView(state, options, maxRows - footerLines.length);
  const rowsAbove = Math.max(0, maxRows - footerLines.length - input.lines.length);
  const notices = noticeLines(state, options).slice(0, Math.min(MAX_NOTICE_LINES, rowsAbove));
  const showsLive = state.panel === undefined || state.cards.length > 0;
  const live = liveView(state, options, showsLive ? rowsAbove - notices.length : 0);
  const above = [...live, ...notices];
  return {
    lines: [...above, ...input.lines, ...footerLines],
    ...(input.cursor === undefined ? {} : { cursor: { x: input.cursor.x, y: above.length + input.cursor.y } }),
  };
}

/** The part that takes the keys: a card, a panel, or the prompt. */
function inputView(state: ChatState, options: ViewOptions, rows: number): Drawing {
  const [card] = state.cards;
  if (card !== undefined) return cardView(card, state, { ...options, rows: Math.max(1, Math.floor(rows * 0.75)) });
  if (state.panel !== undefined) return panelView(state.panel, options, rows);
  return promptView(state, options, Math.max(1, Math.floor(rows / 2)));
}

function promptView({ editor, pastes }: ChatState, { style, columns, symbols }: ViewOptions, rows: number): Drawing {
  const suggested = editor.text === "" ? [] : completions(editor.text);
  const suggestions = suggested
    .map((name) => style.dim(cut(`  /${name}  ${commands[name]}`, columns)))
    .slice(0, Math.max(0, rows - 1));
  const { lines, x, y } = editorLines(editor, {
    columns: columns - 2,
    rows: Math.max(1, rows - suggestions.length),
    pastes,
  });
  const prompt = lines.map((line, index) => `${index === 0 ? style.cyan(symbols.prompt) : " "} ${line}`);
  return {
    lines: [...suggestions, ...prompt],
    cursor: { x: Math.min(x + 2, columns - 1), y: suggestions.length + y },
  };
}

/** The hint or what the keys do, and the queue. */
function noticeLines(state: ChatState, { style, columns, symbols }: ViewOptions): string[] {
  const { queue, isQueueHeld, hint, run, editor, cards, panel } = state;
  const queued = queue.map((text, index) =>
    style.dim(cut(`queued ${index + 1}: ${plainText(text.slice(0, 1_000))}`, columns)),
  );
  const queueLines =
    queued.length > 2 ? [...queued.slice(0, 1), style.dim(cut(`… and ${queued.length - 1} more`, columns))] : queued;
  if (hint !== undefined) return [style.yellow(cut(plainText(hint), columns)), ...queueLines];
  if (isQueueHeld && cards.length === 0)
    return [style.yellow(cut("The queue waits: Enter sends, Up edits.", columns)), ...queueLines];
  if (run === undefined || run.isStopping || editor.text === "" || cards.length > 0 || panel !== undefined)
    return queueLines;
  const keys = ["Enter queues", "Ctrl-S sends now", "Esc stops the run"].join(` ${symbols.dot} `);
  return [style.dim(cut(keys, columns)), ...queueLines];
}
