import { isLimit } from "../../../render/timeline/is-limit.ts";
import type { Key } from "../editor/key.ts";
import type { ChatEffect } from "./chat-action.ts";
import type { ChatState, Panel } from "./chat-state.ts";
import { type Transition, transition } from "./transition.ts";

type Evidence = Extract<Panel, { type: "evidence" }>;

/** Keys while the evidence of an intervention is shown. */
export function evidenceKey(state: ChatState, panel: Evidence, key: Key): Transition {
  const { panel: _, ...closed } = state;
  if (key.type === "text") {
    const { detector, tool } = panel.intervention;
    const mute: ChatEffect | undefined =
      key.text === "t" && tool !== undefined
        ? { type: "mute", detector, tool }
        : key.text === "m"
          ? { type: "mute", detector }
          : undefined;
    if (mute === undefined || isLimit(detector)) return transition(key.text === "q" ? closed : state);
    return state.run === undefined
      ? transition({ ...closed, hint: "No run goes on: there is nothing to mute." })
      : transition(closed, mute);
  }
  if (key.type === "paste") return transition(state);
  if (key.name === "escape" || key.name === "ctrl-g" || key.name === "enter") return transition(closed);
  const by = key.name === "up" ? -1 : key.name === "down" ? 1 : 0;
  return transition({ ...state, panel: { ...panel, top: Math.max(0, Math.min(panel.calls.length - 1, panel.top + by)) } });
}
