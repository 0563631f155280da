import type { Stores } from "@sheepdog/agent";
import { counted } from "../../render/terminal/amounts.ts";
import { savedItems } from "../../render/timeline/saved-items.ts";
import { createRepeatFilter } from "../../render/timeline/repeat-filter.ts";
import type { ChatEntry } from "./state/chat-entry.ts";

const RUNS_SHOWN = 2;

/** A session as it is shown when it is opened: the end of what was said in it, and how full its context is. */
export async function loadSessionView(
  stores: Stores,
  sessionId: string,
  cwd: string,
): Promise<{ readonly entries: readonly ChatEntry[]; readonly contextTokens: number }> {
  const saved = await stores.sessions.load(sessionId);
  const { messages, runs } = saved;
  if (messages.length === 0)
    return { entries: [note(`A new session: ${sessionId}. /help lists what can be typed.`)], contextTokens: 0 };
  const events = await stores.events.after(sessionId, 0);
  const shown = runs.slice(-RUNS_SHOWN);
  const last = messages.findLast((message) => message.role === "assistant");
  const { state, workspace = cwd } = runs.at(-1) ?? {};
  return {
    entries: [
      note(
        `Session ${sessionId}, ${counted(runs.length, "run")}${runs.length > shown.length ? `; the last ${shown.length}:` : "."}`,
      ),
      ...shown.flatMap(({ runId }) => savedItems(saved, events, runId).filter(createRepeatFilter())),
      ...(workspace === cwd ? [] : [note(`It has worked in ${workspace}; now it works in ${cwd}.`)]),
      ...(state === "running"
        ? [note("The last run broke off, or goes on in another process. /retry goes on with it.")]
        : []),
    ],
    contextTokens: last === undefined ? 0 : last.usage.input + last.usage.output,
  };
}

function note(text: string): ChatEntry {
  return { type: "said", tone: "dim", lines: [text] };
}
