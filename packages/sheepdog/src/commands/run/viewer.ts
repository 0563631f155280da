import type { AgentEvent } from "@sheepdog/agent";
import { type Io, type Output, write } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import type { Item } from "../../render/timeline/item.ts";
import { liveItems } from "../../render/timeline/live-items.ts";
import { onceEach } from "../../render/timeline/once-each.ts";
import { createStripper } from "../../render/timeline/strip-controls.ts";
import type { Progress } from "./progress.ts";
import type { ResultDocument } from "./result-document.ts";

/** An event as a reader gets it: some before it may have been dropped, for one who reads slowly. */
type ReadEvent = AgentEvent & { readonly dropped?: number };

/** Shows a run: what was asked for on stdout, everything else beside it. What it throws, stdout could not be written. */
export interface Viewer {
  see(event: ReadEvent): Promise<void>;
  /** The end, or why there was no beginning. */
  end(document: ResultDocument): Promise<void>;
}

/** On a terminal: the text as it streams. */
export function streamingViewer({ stdout }: Io, progress: Progress): Viewer {
  const items = liveItems();
  const isNew = onceEach();
  let stripper = createStripper();
  let isBegun = false; // a text; what is blank before it is left out
  let isLineOpen = false;

  const print = async (text: string) => {
    if (text === "") return;
    await progress.clear();
    await write(stdout, text);
    isLineOpen = !text.endsWith("\n");
  };
  const closeLine = () => (isLineOpen ? print("\n") : Promise.resolve());

  return {
    async see(event) {
      const done = items.add(event);
      if (event.dropped !== undefined && isLineOpen) await print(" […] ");
      if (event.type === "TextDelta") {
        const text = isBegun ? stripper.push(event.text) : stripper.push(event.text).trimStart();
        isBegun ||= text !== "";
        await print(text);
      }
      if (event.type === "StreamEnd") {
        stripper = createStripper();
        isBegun = false;
      }
      for (const item of done) {
        if (item.type !== "thinking") await closeLine();
        if (isBeside(item) && isNew(item)) await progress.item(item);
      }
      if (event.type === "CostEvent" && !isLineOpen) await progress.cost(event);
      if (!isLineOpen) await progress.waitFor(items.live.calls);
    },
    end: closeLine,
  };
}

/** Where stdout is no terminal: the answer, once it is there. */
export function answerViewer({ stdout }: Io, progress: Progress): Viewer {
  return {
    see: besideViewer(progress),
    async end({ state, text }) {
      await progress.clear();
      if (state === "completed") await write(stdout, `${createStripper().push(text).trimEnd()}\n`);
    },
  };
}

/** `--json`: one document. */
export function documentViewer({ stdout }: Io, progress: Progress): Viewer {
  return {
    see: besideViewer(progress),
    async end(document) {
      await progress.clear();
      await write(stdout, documentText(document));
    },
  };
}

/** `--stream-json`: one event a line, then the document. */
export function eventsViewer({ stdout }: { readonly stdout: Output }): Viewer {
  return {
    see: (event) => write(stdout, `${jsonText(event, 0)}\n`),
    end: (document) => write(stdout, eventsEndText(document)),
  };
}

/** The document in the form that was asked for, if it was. */
export function owedText(
  { json, streamJson }: { readonly json?: boolean; readonly streamJson?: boolean },
  document: ResultDocument,
): string | undefined {
  if (json) return documentText(document);
  return streamJson ? eventsEndText(document) : undefined;
}

/** As `--json` prints it. */
function documentText(document: ResultDocument): string {
  return `${jsonText(document)}\n`;
}

/** As `--stream-json` prints it, the last line. */
function eventsEndText(document: ResultDocument): string {
  return `${jsonText({ type: "Result", ...document }, 0)}\n`;
}

/** Everything beside the answer; a text is part of that once something comes after it. */
function besideViewer(progress: Progress): Viewer["see"] {
  const items = liveItems();
  const isNew = onceEach();
  let held: Item | undefined;
  return async (event) => {
    for (const item of items.add(event)) {
      if (held !== undefined && !(item.type === "end" && item.result.state === "completed")) await progress.item(held);
      held = item.type === "text" ? item : undefined;
      if (isBeside(item) && isNew(item)) await progress.item(item);
    }
    if (event.type === "CostEvent") await progress.cost(event);
    await progress.waitFor(items.live.calls);
  };
}

/** The prompt is known, the text is the answer's, and the end is told with the command that goes on. */
function isBeside(item: Item): boolean {
  return item.type !== "prompt" && item.type !== "text" && item.type !== "end";
}
