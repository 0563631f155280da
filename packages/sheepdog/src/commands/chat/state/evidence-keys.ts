import { isLimit } from "../../../render/timeline/is-limit.ts";
import type { Key } from "../editor/key.ts";
import type { ChatEffect } from "./chat-action.ts";
import type { ChatState, Panel } from "./chat-state.ts";
import { type Transition, transition } from "./transition.ts";

type EvidencePanel = Extract<Panel, { type: "evidence" }>;

/** Handles a key while the evidence of an intervention is shown. */
export function evidenceKey(state: ChatState, panel: EvidencePanel, key: Key): Transition {
  const { panel: _, ...closed } = state;
  if (key.type === "text") {
    const mute = muteEffect(panel, key.text);
    if (mute === undefined) return transition(key.text === "q" ? closed : state);
    return state.run === undefined
      ? transition({ ...closed, hint: "There is nothing to mute: no run is running." })
      : transition(closed, mute);
  }
  if (key.type === "paste") return transition(state);
  if (key.name === "escape" || key.name === "ctrl-g" || key.name === "enter") return transition(closed);
  const by = key.name === "up" ? -1 : key.name === "down" ? 1 : 0;
  const top = Math.max(0, Math.min(panel.calls.length - 1, panel.top + by));
  return transition({ ...state, panel: { ...panel, top } });
}

/** `t` mutes the detector for the tool, `m` for the whole run. A limit cannot be muted. */
function muteEffect({ intervention: { detector, tool } }: EvidencePanel, text: string): ChatEffect | undefined {
  if (isLimit(detector)) return undefined;
  if (text === "t" && tool !== undefined) return { type: "mute", detector, tool };
  return text === "m" ? { type: "mute", detector } : undefined;
}
