import type { AgentEvent } from "@sheepdog/agent";
import { type Io, OutputError, write } from "../../io.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { describeCall } from "../../render/terminal/describe-call.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { cut } from "../../render/terminal/width.ts";
import type { CallItem, Item } from "../../render/timeline/item.ts";
import { itemLines } from "../../render/timeline/item-lines.ts";
import { marksFor } from "../../render/timeline/marks.ts";

/** Writes progress to stderr. A stderr that cannot be written does not end the run. */
export interface Progress {
  /** Whether items are shown. */
  readonly isShown: boolean;
  item(item: Item): Promise<void>;
  line(text: string, style?: "dim"): Promise<void>;
  /** Shows the cost so far, with `--verbose`. */
  cost(event: Extract<AgentEvent, { type: "CostEvent" }>): Promise<void>;
  /** Shows the running calls on a status line, which the next write removes. */
  waitFor(calls: readonly CallItem[]): Promise<void>;
  /** Removes the status line. */
  clear(): Promise<void>;
}

/** Creates the progress output of `sheepdog run`. */
export function createProgress(
  io: Io,
  { verbose, isShown }: { readonly verbose: boolean; readonly isShown: boolean },
): Progress {
  const style = styleFor(io.stderr, io.env);
  const marks = marksFor(io.env);
  const canErase = io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  let hasStatusLine = false;

  const print = async (text: string) => {
    const erase = hasStatusLine ? "\r\u001b[K" : "";
    hasStatusLine = false;
    if (erase + text !== "") await ignoreOutputFailure(write(io.stderr, erase + text));
  };
  const width = () => columnsOf(io.stderr, io.env);

  return {
    isShown,
    async item(item) {
      if (!isShown) return;
      const lines = itemLines(item, { style, width: width(), verbose, marks });
      if (lines.length > 0) await print(`${lines.join("\n")}\n`);
    },
    line: (text, paint) => print(`${paint === undefined ? text : style[paint](text)}\n`),
    async cost({ costNanoUsd, totalNanoUsd, model }) {
      if (!isShown || !verbose) return;
      const [request, total] = [costNanoUsd, totalNanoUsd].map((nanoUsd) =>
        nanoUsd === null ? "price unknown" : dollars(nanoUsd / 1e9),
      );
      await print(style.dim(`  ${plainText(model)}: ${request} for this request, ${total} in total\n`));
    },
    async waitFor(calls) {
      const [first] = calls;
      if (!isShown || !canErase || first === undefined) return print("");
      const text = calls.length === 1 ? describeCall({ name: first.tool, args: first.input }) : `${calls.length} calls`;
      await print("");
      await ignoreOutputFailure(write(io.stderr, style.dim(cut(`  ${text} ${marks.more}`, width() - 1))));
      hasStatusLine = true;
    },
    clear: () => print(""),
  };
}

async function ignoreOutputFailure(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
  }
}
