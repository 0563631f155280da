import type { AgentEvent } from "@sheepdog/agent";
import type { Item } from "@sheepdog/agent/timeline";
import { redactText } from "../../config/redact-value.ts";
import { type Io, messageText, OutputError, write } from "../../io.ts";
import { withDiff } from "../../render/diff/call-diff.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { createLiveArea } from "../../render/terminal/live-area.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { totalRows } from "../../render/terminal/rows.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { repeatedItemLines } from "../../render/timeline/item-lines.ts";
import { marksFor } from "../../render/timeline/marks.ts";
import type { RunStatus } from "../../render/timeline/run-status.ts";
import { isSameItem } from "../../render/timeline/same-item.ts";
import { statusLines } from "../../render/timeline/status-lines.ts";

/** Writes progress to stderr. A stderr that cannot be written does not end the run. */
export interface Progress {
  /** Whether items are shown. */
  readonly isShown: boolean;
  /** Shows an item. An item that repeats the last one only increases its number. */
  item(item: Item): Promise<void>;
  line(text: string, style?: "dim"): Promise<void>;
  /** Writes a sentence with the name of the program in front. Lines break between words. */
  message(sentence: string): Promise<void>;
  /** Shows the cost so far, with `--verbose`. */
  cost(event: Extract<AgentEvent, { type: "CostEvent" }>): Promise<void>;
  /** Shows what the run waits for, below all output, until `clear`. */
  status(status: RunStatus): void;
  /** Shows no status until the returned function is called, because the user is typing. */
  pauseStatus(): () => void;
  /** Removes the status. Output on stdout may follow. */
  clear(): Promise<void>;
}

/** An item on the screen, and how often it has occurred. */
interface ShownItem {
  readonly item: Item;
  readonly times: number;
  /** The rows above the cursor that it takes; undefined if other output is below it. */
  readonly rows: number;
}

/** Creates the progress output of `sheepdog run`. */
export function createProgress(
  io: Io,
  { verbose, isShown }: { readonly verbose: boolean; readonly isShown: boolean },
): Progress {
  const style = styleFor(io.stderr, io.env);
  const marks = marksFor(io.env);
  const canErase = io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  const width = () => columnsOf(io.stderr, io.env);
  const rows = () => io.stderr.rows ?? 24;
  const area = createLiveArea({
    columns: width,
    write: (text) => void ignoreOutputFailure(write(io.stderr, text)),
  });
  let last: ShownItem | undefined;
  let pauses = 0;

  const writeText = async (text: string) => {
    if (text !== "") await ignoreOutputFailure(write(io.stderr, text));
  };
  const print = (text: string) => writeText(area.erase() + takeHiddenRepeats() + text);

  /** Without a terminal that can erase, repeats are counted in a line of their own. */
  const takeHiddenRepeats = (): string => {
    const repeats = canErase ? 0 : (last?.times ?? 1) - 1;
    last = undefined;
    return repeats === 0 ? "" : `${style.dim(`  ${marks.times}${repeats + 1} in a row`)}\n`;
  };
  const linesOf = (item: Item, times: number) =>
    repeatedItemLines({ item, times }, { style, width: width(), verbose, marks });
  const show = async (item: Item) => {
    const lines = linesOf(item, 1);
    if (lines.length === 0) return;
    await print(`${lines.join("\n")}\n`);
    last = { item, times: 1, rows: totalRows(lines, width()) };
  };
  const repeat = async (shown: ShownItem, item: Item) => {
    const times = shown.times + 1;
    const lines = linesOf(item, times);
    last = { item, times, rows: totalRows(lines, width()) };
    if (canErase) await writeText(`${area.erase()}\u001b[${shown.rows}A\u001b[J${lines.join("\n")}\n`);
  };

  return {
    isShown,
    async item(plainItem) {
      if (!isShown) return;
      const item = await withDiff(plainItem);
      const canRepeat = last !== undefined && isSameItem(last.item, item) && last.rows < rows() - 1;
      await (canRepeat && last !== undefined ? repeat(last, item) : show(item));
    },
    message: (sentence) => print(`${messageText(io, redactText(`sheepdog: ${sentence}`, io.env))}\n`),
    line: (text, paint) => print(`${paint === undefined ? text : style[paint](text)}\n`),
    async cost({ costNanoUsd, totalNanoUsd, model, purpose }) {
      if (!isShown || !verbose) return;
      const [request, total] = [costNanoUsd, totalNanoUsd].map((nanoUsd) =>
        nanoUsd === null ? "price unknown" : dollars(nanoUsd / 1e9),
      );
      const what = purpose === undefined ? "this request" : `this request (${purpose})`;
      await print(style.dim(`  ${plainText(model)}: ${request} for ${what}, ${total} in total\n`));
    },
    status(status) {
      if (!isShown || !canErase || pauses > 0 || status.waiting.for === "nothing") return void writeText(area.hide());
      area.show(() => statusLines(status, { style, width: width(), rows: rows(), marks, now: Date.now() }));
    },
    pauseStatus() {
      pauses += 1;
      void writeText(area.hide());
      return () => {
        pauses -= 1;
      };
    },
    clear: () => writeText(area.hide() + takeHiddenRepeats()),
  };
}

async function ignoreOutputFailure(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
  }
}
