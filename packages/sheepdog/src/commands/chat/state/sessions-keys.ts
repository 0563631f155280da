import type { SessionSummary } from "@sheepdog/agent";
import type { Key } from "../editor/key.ts";
import type { ChatState, Panel } from "./chat-state.ts";
import { applyKey } from "./edit-keys.ts";
import { type Transition, transition } from "./transition.ts";

type SessionsPanel = Extract<Panel, { type: "sessions" }>;

const moves: Readonly<Record<string, number>> = {
  up: -1,
  "ctrl-p": -1,
  down: 1,
  "ctrl-n": 1,
  "page-up": -10,
  "page-down": 10,
};

/** Characters of a prompt that are searched. Each key searches all sessions, and there may be thousands. */
const MAX_SEARCHED = 1_000;

/** Handles a key in the list of sessions. */
export function sessionsKey(state: ChatState, panel: SessionsPanel, key: Key): Transition {
  const { panel: _, ...closed } = state;
  const matching = matchingSessions(panel);
  if (key.type === "press") {
    if (key.name === "escape") return transition(closed);
    const session = matching[panel.selected];
    if (key.name === "enter")
      return session === undefined
        ? transition(state)
        : transition(closed, { type: "open", sessionId: session.sessionId });
    const by = moves[key.name];
    if (by !== undefined) {
      const selected = Math.max(0, Math.min(matching.length - 1, panel.selected + by));
      return transition({ ...state, panel: { ...panel, selected } });
    }
  }
  const query = applyKey(panel.query, key, { isOneLine: true });
  if (query === undefined) return transition(state);
  const selected = query.text === panel.query.text ? panel.selected : 0;
  return transition({ ...state, panel: { ...panel, query, selected } });
}

/** The sessions that contain every word of the query, in the prompt, id, date, state, model or folder. */
export function matchingSessions({ all, query }: Pick<SessionsPanel, "all" | "query">): readonly SessionSummary[] {
  const words = query.text.toLowerCase().split(/\s+/);
  return all.filter((session) => {
    const text = searchText(session);
    return words.every((word) => text.includes(word));
  });
}

function searchText({ sessionId, updatedAt, lastRun }: SessionSummary): string {
  const { prompt = "", state = "", reason = "", model = "", workspace = "" } = lastRun ?? {};
  return [sessionId, new Date(updatedAt).toISOString(), prompt.slice(0, MAX_SEARCHED), state, reason, model, workspace]
    .join(" ")
    .toLowerCase();
}
