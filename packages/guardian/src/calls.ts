import type { Intervention } from "./intervention.ts";
import type { Finding } from "./judge/finding.ts";
import { type Policy, ruleFor } from "./policy.ts";
import type { SignalOf } from "./signal.ts";
import { bounds, type Episode, type GuardianState, noted, type OpenCall, short } from "./state.ts";
import { quiet, type Step } from "./step-result.ts";
import { refusal, type Words } from "./words.ts";

/** A call is about to be made: it is opened, or refused where its episode says so. */
export function onCall(policy: Policy, state: GuardianState, signal: SignalOf<"call">, words: Words): Step {
  const id = short(signal.id, bounds.id);
  if (state.open.some((call) => call.id === id)) return quiet(state); // a re-streamed reply says it again
  const tool = short(signal.tool);
  const episode = policy.mode === "guide" ? state.episodes.find((each) => isDenying(each, signal)) : undefined;
  const call: OpenCall = {
    id,
    index: state.calls,
    tool,
    kind: ruleFor(policy, tool)?.kind ?? (Object.hasOwn(state.tools, tool) ? state.tools[tool] : undefined) ?? signal.kind,
    call: signal.print,
    atMs: state.clock.elapsedMs,
    ...(episode === undefined ? {} : { isDenied: true as const }),
  };
  const opened = { ...state, calls: state.calls + 1, open: [...state.open, call].slice(-bounds.open), clock: { ...state.clock, idleMs: 0 } };
  return episode === undefined ? quiet(opened) : deny(opened, episode, call, words);
}

/** A stream begins, perhaps again after a retry: calls of a half reply were never made. */
export function onStreamStart(state: GuardianState): GuardianState {
  return { ...state, calls: state.calls - state.open.length, open: [], stream: { tail: "", checked: 0 } };
}

function isDenying(episode: Episode, signal: SignalOf<"call">): boolean {
  if (episode.isClosed || (episode.level !== "block" && episode.level !== "halt")) return false;
  return episode.prints.includes(signal.print.exact) || episode.prints.includes(signal.print.loose);
}

/** Refuses a call of a blocked episode. The attempt adds one to the episode, so that refusing can never become the runaway. */
function deny(state: GuardianState, episode: Episode, call: OpenCall, words: Words): Step {
  const denied = { ...episode, denials: episode.denials + 1 };
  const finding: Finding = {
    detector: episode.detector,
    cause: episode.cause,
    count: episode.count,
    evidence: episode.calls,
    tool: call.tool,
    words: call.call.words,
    prints: [],
    advice: episode.advice,
  };
  const intervention: Intervention = {
    id: `${episode.id}/deny/${denied.denials}`,
    detector: episode.detector,
    level: "block",
    effect: "deny",
    call: state.calls - 2,
    evidence: episode.calls,
    count: episode.count,
    tool: call.tool,
    denies: { callId: call.id },
    message: refusal(words(finding, "hint", { denials: denied.denials })),
    isApplied: true,
  };
  const episodes = state.episodes.map((each) => (each.id === episode.id ? denied : each));
  return { state: { ...state, episodes, found: noted(state.found, [finding]) }, interventions: [intervention], recovered: [] };
}
