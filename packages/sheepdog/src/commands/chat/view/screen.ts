import { plainText } from "../../../render/terminal/plain-text.ts";
import { cut } from "../../../render/terminal/width.ts";
import { commands, completions } from "../commands/commands.ts";
import type { ChatState } from "../state/chat-state.ts";
import { cardView } from "./card-view.ts";
import type { Drawing } from "./drawing.ts";
import { footer } from "./footer.ts";
import { liveView } from "./live-view.ts";
import type { ViewOptions } from "./view-options.ts";
import { panelView } from "./panel-view.ts";
import { editorLines } from "./editor-lines.ts";

/** The part of the window that changes: never taller than the window less one line, never wider. */
export function screenOf(state: ChatState, look: ViewOptions): Drawing {
  const most = Math.max(1, look.rows - 1);
  const foot = most > 1 ? [footer(state, look)] : [];
  const asked = askedView(state, look, most - foot.length);
  const about = aboutLines(state, look).slice(0, Math.max(0, Math.min(3, most - foot.length - asked.lines.length)));
  const room = most - foot.length - asked.lines.length - about.length;
  const live = liveView(state, look, state.panel === undefined || state.cards.length > 0 ? room : 0);
  const above = [...live, ...about];
  return {
    lines: [...above, ...asked.lines, ...foot],
    ...(asked.cursor === undefined ? {} : { cursor: { x: asked.cursor.x, y: above.length + asked.cursor.y } }),
  };
}

/** What takes the keys: a card, a panel, or the prompt. */
function askedView(state: ChatState, look: ViewOptions, rows: number): Drawing {
  const [card] = state.cards;
  if (card !== undefined) return cardView(card, state, look, Math.max(1, Math.floor(rows * 0.75)));
  if (state.panel !== undefined) return panelView(state.panel, look, rows);
  return promptView(state, look, Math.max(1, Math.floor(rows / 2)));
}

function promptView({ editor }: ChatState, { style, columns, signs }: ViewOptions, rows: number): Drawing {
  const suggested = completions(editor.text);
  const listed =
    suggested.length === 0 || editor.text === ""
      ? []
      : suggested
          .map((name) => style.dim(cut(`  /${name}  ${commands[name]}`, columns)))
          .slice(0, Math.max(0, rows - 1));
  const { lines, x, y } = editorLines(editor, columns - 2, Math.max(1, rows - listed.length));
  const drawn = lines.map((line, place) => `${place === 0 ? style.cyan(signs.prompt) : " "} ${line}`);
  return { lines: [...listed, ...drawn], cursor: { x: Math.min(x + 2, columns - 1), y: listed.length + y } };
}

/** What waits in the queue, and what the keys do. */
function aboutLines(state: ChatState, { style, columns, signs }: ViewOptions): string[] {
  const { queue, isQueueHeld, hint, run, editor, cards, panel } = state;
  const queued = queue.map((text, place) =>
    style.dim(cut(`queued ${place + 1}: ${plainText(text.slice(0, 1_000))}`, columns)),
  );
  const shown =
    queued.length > 2 ? [...queued.slice(0, 1), style.dim(cut(`… and ${queued.length - 1} more`, columns))] : queued;
  const held =
    isQueueHeld && cards.length === 0 ? [style.yellow(cut("The queue waits: Enter sends, Up edits.", columns))] : [];
  if (hint !== undefined) return [style.yellow(cut(plainText(hint), columns)), ...shown];
  if (held.length > 0) return [...held, ...shown];
  if (run === undefined || run.isStopping || editor.text === "" || cards.length > 0 || panel !== undefined)
    return shown;
  return [
    style.dim(cut(`Enter queues ${signs.dot} Ctrl-S says it now ${signs.dot} Esc stops the run`, columns)),
    ...shown,
  ];
}
