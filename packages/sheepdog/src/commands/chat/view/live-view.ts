import { describeCall } from "../../../render/terminal/describe-call.ts";
import { cut } from "../../../render/terminal/width.ts";
import { repeatedItemLines } from "../../../render/timeline/item-lines.ts";
import { tailLines } from "../../../render/timeline/output-tail.ts";
import { plainLines } from "../../../render/timeline/plain-lines.ts";
import type { ChatState } from "../state/chat-state.ts";
import type { ViewOptions } from "./view-options.ts";

const MAX_OUTPUT_LINES = 5;

/** The last call, the streaming text and the running calls, in at most `rows` lines; the newest take precedence. */
export function liveView(
  { live, run, cards, held }: ChatState,
  { style, columns, symbols, marks }: ViewOptions,
  rows: number,
): readonly string[] {
  if (rows <= 0) return [];
  const isThinking = live.text.trim() === "" && live.thinking.trim() !== "";
  const streaming = visibleTail(isThinking ? live.thinking : live.text, columns * rows);
  const text =
    streaming.trim() === "" ? [] : plainLines(streaming, columns).map((line) => (isThinking ? style.dim(line) : line));
  const calls = live.calls.map(({ tool, input }) =>
    style.cyan(cut(`${symbols.prompt} ${describeCall({ name: tool, args: input })} …`, columns)),
  );
  const output = tailLines(live.calls.at(-1)?.output ?? "", MAX_OUTPUT_LINES).map((line) =>
    style.dim(`  ${cut(line, columns - 2)}`),
  );
  const heldLines = held === undefined ? [] : repeatedItemLines(held, { style, width: columns, marks });
  const isQuiet = run !== undefined && !run.isStopping && text.length === 0 && calls.length === 0 && cards.length === 0;
  const quiet = isQuiet ? [style.dim(cut("waiting for the model …", columns))] : [];
  return [...heldLines, ...text, ...calls, ...output, ...quiet].slice(-rows);
}

/** The part of a text that can be visible, so that the cost does not grow with the text. */
function visibleTail(text: string, length: number): string {
  const tail = text.slice(-length);
  return tail.length < text.length ? tail.slice(tail.indexOf("\n") + 1) || tail : tail;
}
