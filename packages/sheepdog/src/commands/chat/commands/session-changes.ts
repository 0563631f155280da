import type { Stores } from "@sheepdog/agent";
import { savedItems } from "@sheepdog/agent/timeline";
import { withDiff } from "../../../render/diff/call-diff.ts";
import { changeCount } from "../../../render/diff/diff-line.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { pathArgument } from "../../../render/timeline/call-item-lines.ts";
import type { ChatEntry } from "../state/chat-entry.ts";

/** The changes that calls made to files in a session, oldest first. */
export async function sessionChanges(stores: Stores, sessionId: string): Promise<readonly ChatEntry[]> {
  const { runs } = await stores.sessions.load(sessionId);
  const events = await stores.events.after(sessionId, 0);
  const items = await Promise.all(runs.flatMap(({ runId }) => savedItems(events, runId)).map((item) => withDiff(item)));
  return items.flatMap((item): readonly ChatEntry[] => {
    if (item.type !== "call" || item.diff === undefined) return [];
    const title = `${plainText(pathArgument(item.input))}  ${changeCount(item.diff)}`;
    return [{ type: "diff", title, lines: item.diff }];
  });
}
