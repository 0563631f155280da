import type { SessionSummary } from "@sheepdog/agent";
import type { Key } from "../editor/key.ts";
import type { ChatState, Panel } from "./chat-state.ts";
import { applyKey } from "./edit-keys.ts";
import { type Transition, transition } from "./transition.ts";

type Picker = Extract<Panel, { type: "sessions" }>;

const steps: Readonly<Record<string, number>> = {
  up: -1,
  "ctrl-p": -1,
  down: 1,
  "ctrl-n": 1,
  "page-up": -10,
  "page-down": 10,
};

/** Characters of a prompt: thousands of sessions are looked through with every key. */
const SEARCHED = 1_000;

/** Keys in the list of sessions. */
export function sessionsKey(state: ChatState, picker: Picker, key: Key): Transition {
  const { panel: _, ...closed } = state;
  const found = matchingSessions(picker);
  if (key.type === "press") {
    if (key.name === "escape") return transition(closed);
    const chosen = found[picker.at];
    if (key.name === "enter")
      return chosen === undefined ? transition(state) : transition(closed, { type: "open", sessionId: chosen.sessionId });
    const by = steps[key.name];
    if (by !== undefined)
      return transition({ ...state, panel: { ...picker, at: Math.max(0, Math.min(found.length - 1, picker.at + by)) } });
  }
  const query = applyKey(picker.query, key, { isOneLine: true });
  return transition(
    query === undefined
      ? state
      : { ...state, panel: { ...picker, query, at: query.text === picker.query.text ? picker.at : 0 } },
  );
}

/** The sessions in which every word that was typed is found: in the prompt, the id, the date, the state, the model or the folder. */
export function matchingSessions({ all, query }: Pick<Picker, "all" | "query">): readonly SessionSummary[] {
  const words = query.text.toLowerCase().split(/\s+/);
  return all.filter((session) => {
    const text = textOf(session);
    return words.every((word) => text.includes(word));
  });
}

function textOf({ sessionId, updatedAt, lastRun }: SessionSummary): string {
  const { prompt = "", state = "", reason = "", model = "", workspace = "" } = lastRun ?? {};
  return [sessionId, new Date(updatedAt).toISOString(), prompt.slice(0, SEARCHED), state, reason, model, workspace]
    .join(" ")
    .toLowerCase();
}
