import type { AgentEvent } from "@sheepdog/agent";
import { createLiveItems, type Item } from "@sheepdog/agent/timeline";
import { type Io, type Output, write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { columnsOf } from "../../render/terminal/style.ts";
import { createWordWrapper } from "../../render/terminal/word-wrapper.ts";
import { createControlStripper } from "../../render/timeline/control-stripper.ts";
import { createRepeatFilter } from "../../render/timeline/repeat-filter.ts";
import { initialStatus, nextStatus } from "../../render/timeline/run-status.ts";
import type { Progress } from "./progress.ts";
import type { ResultDocument } from "./result-document.ts";
import type { TurnLog } from "./turn-log.ts";

/** An event as an iterator of a run yields it. `dropped`: events before it that a slow reader missed. */
type ReadEvent = AgentEvent & { readonly dropped?: number };

/** Shows a run: the requested output on stdout, everything else as progress. Rejects when stdout cannot be written. */
export interface Viewer {
  show(event: ReadEvent): Promise<void>;
  /** Shows the end of the run, or why it did not start. */
  end(document: ResultDocument): Promise<void>;
}

/** For a terminal: the text as it streams. Its lines break between words. */
export function streamingViewer({ stdout, env }: Io, progress: Progress): Viewer {
  const wrapper = createWordWrapper(() => columnsOf(stdout, env));
  const items = createLiveItems();
  const isNew = createRepeatFilter();
  let stripper = createControlStripper();
  let hasText = false; // leading white space of a text is not shown
  let isLineOpen = false;
  let status = initialStatus;

  const print = async (text: string) => {
    if (text === "") return;
    await progress.clear();
    await write(stdout, text);
    isLineOpen = !text.endsWith("\n");
  };
  const closeLine = async () => {
    await print(wrapper.end());
    if (isLineOpen) await print("\n");
  };

  return {
    async show(event) {
      const completed = items.add(event);
      if (event.dropped !== undefined && isLineOpen) await print(wrapper.push(" […] "));
      if (event.type === "TextDelta") {
        const text = hasText ? stripper.push(event.text) : stripper.push(event.text).trimStart();
        hasText ||= text !== "";
        await print(wrapper.push(text));
      }
      if (event.type === "StreamEnd") {
        stripper = createControlStripper();
        hasText = false;
        await closeLine();
      }
      for (const item of completed) {
        if (item.type !== "thinking") await closeLine();
        if (isProgress(item) && isNew(item)) await progress.item(item);
      }
      if (event.type === "ToolUseStart") await closeLine(); // long arguments may follow, and the status shows that
      if (event.type === "CostEvent" && !isLineOpen) await progress.cost(event);
      status = nextStatus(status, event, { calls: items.live.calls, now: Date.now() });
      if (!isLineOpen) progress.status(status);
    },
    end: closeLine,
  };
}

/** For a pipe or a file: the answer at the end. */
export function answerViewer({ stdout }: Io, progress: Progress): Viewer {
  return {
    show: progressViewer(progress),
    async end({ state, text }) {
      await progress.clear();
      if (state === "completed") await write(stdout, `${createControlStripper().push(text).trimEnd()}\n`);
    },
  };
}

/** For `--json`: one document. */
export function documentViewer({ stdout }: Io, progress: Progress): Viewer {
  return {
    show: progressViewer(progress),
    async end(document) {
      await progress.clear();
      await write(stdout, documentText(document));
    },
  };
}

/** For `--stream-json`: one event per line, then the document. */
export function eventsViewer({ stdout }: { readonly stdout: Output }): Viewer {
  return {
    show: (event) => write(stdout, `${jsonText(event, 0)}\n`),
    end: (document) => write(stdout, lastEventText(document)),
  };
}

/** Writes a log besides. */
export function withTurnLog(viewer: Viewer, log: TurnLog, writeLine: (line: string) => Promise<void>): Viewer {
  return {
    async show(event) {
      for (const line of log(event)) await writeLine(line);
      await viewer.show(event);
    },
    end: viewer.end,
  };
}

/** The document in the requested JSON form; undefined if no JSON was requested. */
export function documentOutput(
  { json, streamJson }: { readonly json?: boolean; readonly streamJson?: boolean },
  document: ResultDocument,
): string | undefined {
  if (json) return documentText(document);
  return streamJson ? lastEventText(document) : undefined;
}

function documentText(document: ResultDocument): string {
  return `${jsonText(document)}\n`;
}

/** The last line of `--stream-json`. */
function lastEventText(document: ResultDocument): string {
  return `${jsonText({ type: "Result", ...document }, 0)}\n`;
}

/** Shows everything except the answer. A text is progress once another item follows it. */
function progressViewer(progress: Progress): Viewer["show"] {
  const items = createLiveItems();
  const isNew = createRepeatFilter();
  let pendingText: Item | undefined;
  let status = initialStatus;
  return async (event) => {
    for (const item of items.add(event)) {
      const isAnswer = item.type === "end" && item.result.state === "completed";
      if (pendingText !== undefined && !isAnswer) await progress.item(pendingText);
      pendingText = item.type === "text" ? item : undefined;
      if (isProgress(item) && isNew(item)) await progress.item(item);
    }
    if (event.type === "CostEvent") await progress.cost(event);
    status = nextStatus(status, event, { calls: items.live.calls, now: Date.now() });
    progress.status(status);
  };
}

/** The user typed the prompt, the text belongs to the answer, and the summary line shows the end. */
function isProgress(item: Item): boolean {
  return item.type !== "prompt" && item.type !== "text" && item.type !== "end";
}
