import { isLimit } from "../../../render/timeline/is-limit.ts";
import type { Key } from "../editor/key.ts";
import type { Effect } from "./action.ts";
import type { ChatState, Panel } from "./chat-state.ts";
import { type Step, step } from "./step.ts";

type Evidence = Extract<Panel, { type: "evidence" }>;

/** Keys while the evidence of an intervention is shown. */
export function evidenceKey(state: ChatState, panel: Evidence, key: Key): Step {
  const { panel: _, ...closed } = state;
  if (key.type === "text") {
    const { detector, tool } = panel.intervention;
    const mute: Effect | undefined =
      key.text === "t" && tool !== undefined
        ? { type: "mute", detector, tool }
        : key.text === "m"
          ? { type: "mute", detector }
          : undefined;
    if (mute === undefined || isLimit(detector)) return step(key.text === "q" ? closed : state);
    return state.run === undefined
      ? step({ ...closed, hint: "No run goes on: there is nothing to mute." })
      : step(closed, mute);
  }
  if (key.type === "paste") return step(state);
  if (key.name === "escape" || key.name === "ctrl-g" || key.name === "enter") return step(closed);
  const by = key.name === "up" ? -1 : key.name === "down" ? 1 : 0;
  return step({ ...state, panel: { ...panel, top: Math.max(0, Math.min(panel.calls.length - 1, panel.top + by)) } });
}
