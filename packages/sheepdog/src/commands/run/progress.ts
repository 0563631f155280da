import type { AgentEvent } from "@sheepdog/agent";
import { type Io, OutputError, write } from "../../io.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { describeCall } from "../../render/terminal/describe-call.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { cut } from "../../render/terminal/width.ts";
import type { CallItem, Item } from "../../render/timeline/item.ts";
import { linesOf } from "../../render/timeline/lines.ts";
import { marksFor } from "../../render/timeline/marks.ts";

/** What happens beside the answer, on stderr. One that cannot be written to is no reason to end a run. */
export interface Progress {
  /** Whether items are shown. */
  readonly isShown: boolean;
  item(item: Item): Promise<void>;
  line(text: string, how?: "dim"): Promise<void>;
  /** What the run has cost so far, where all is to be shown. */
  cost(event: Extract<AgentEvent, { type: "CostEvent" }>): Promise<void>;
  /** Shows which calls go on, on one line that goes away with the next write. */
  waitFor(calls: readonly CallItem[]): Promise<void>;
  /** Takes that line away. */
  clear(): Promise<void>;
}

/** Progress for people. */
export function createProgress(
  io: Io,
  { verbose, isShown }: { readonly verbose: boolean; readonly isShown: boolean },
): Progress {
  const style = styleFor(io.stderr, io.env);
  const marks = marksFor(io.env);
  const canErase = io.stderr.isTTY === true && io.env["TERM"] !== "dumb";
  let hasStatus = false;

  const say = async (text: string) => {
    const erased = hasStatus ? "\r\u001b[K" : "";
    hasStatus = false;
    if (erased + text !== "") await unheard(write(io.stderr, erased + text));
  };
  const width = () => columnsOf(io.stderr, io.env);

  return {
    isShown,
    async item(item) {
      if (!isShown) return;
      const lines = linesOf(item, { style, width: width(), verbose, marks });
      if (lines.length > 0) await say(`${lines.join("\n")}\n`);
    },
    line: (text, how) => say(`${how === undefined ? text : style[how](text)}\n`),
    async cost({ costNanoUsd, totalNanoUsd, model }) {
      if (!isShown || !verbose) return;
      const [one, all] = [costNanoUsd, totalNanoUsd].map((nanoUsd) =>
        nanoUsd === null ? "an unknown price" : dollars(nanoUsd / 1e9),
      );
      await say(style.dim(`  ${one} for a request to ${plainText(model)}, ${all} so far\n`));
    },
    async waitFor(calls) {
      const [first] = calls;
      if (!isShown || !canErase || first === undefined) return say("");
      const what = calls.length === 1 ? describeCall({ name: first.tool, args: first.input }) : `${calls.length} calls`;
      await say("");
      await unheard(write(io.stderr, style.dim(cut(`  ${what} ${marks.more}`, width() - 1))));
      hasStatus = true;
    },
    clear: () => say(""),
  };
}

async function unheard(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error; // nobody reads stderr any more
  }
}
