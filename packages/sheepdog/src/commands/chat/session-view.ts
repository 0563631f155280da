import type { Stores } from "@sheepdog/agent";
import { withDiff } from "../../render/diff/call-diff.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { createRepeatFilter } from "../../render/timeline/repeat-filter.ts";
import { runItems } from "../../render/timeline/run-items.ts";
import type { ChatEntry } from "./state/chat-entry.ts";

const RUNS_SHOWN = 2;

/** What a chat shows when it opens a session: the entries of its last runs, and how full its context is. */
export async function loadSessionView(
  stores: Stores,
  sessionId: string,
  cwd: string,
): Promise<{ readonly entries: readonly ChatEntry[]; readonly contextTokens: number }> {
  const { messages, runs } = await stores.sessions.load(sessionId);
  if (messages.length === 0)
    return { entries: [note(`New session ${sessionId}. /help lists the commands.`)], contextTokens: 0 };
  const events = await stores.events.after(sessionId, 0);
  const shownRuns = runs.slice(-RUNS_SHOWN);
  const lastReply = messages.findLast((message) => message.role === "assistant");
  const { state, workspace = cwd } = runs.at(-1) ?? {};
  const omitted = runs.length > shownRuns.length ? `; the last ${shownRuns.length}:` : ".";
  return {
    entries: [
      note(`Session ${sessionId}, ${counted(runs.length, "run")}${omitted}`),
      ...(await Promise.all(
        shownRuns.flatMap((run) => runItems(run, events).filter(createRepeatFilter()).map(withDiff)),
      )),
      ...(workspace === cwd ? [] : [note(`The session ran in ${workspace} before; now it runs in ${cwd}.`)]),
      ...(state === "running"
        ? [note("The last run was interrupted, or is running in another process. /retry resumes it.")]
        : []),
    ],
    contextTokens: lastReply === undefined ? 0 : lastReply.usage.input + lastReply.usage.output,
  };
}

function note(text: string): ChatEntry {
  return { type: "message", tone: "dim", lines: [text] };
}
