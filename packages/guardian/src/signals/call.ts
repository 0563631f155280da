import { ruleFor } from "../policy/tool-rule.ts";
import type { SignalOf } from "../signal.ts";
import { bounds, shorten } from "../state/bounds.ts";
import { onActivity } from "../state/clock.ts";
import type { Block, Episode } from "../state/episode.ts";
import { type Finding, toolPrint, withFinding } from "../state/finding.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import { createIntervention, type Intervention } from "../state/intervention.ts";
import type { UnansweredCall } from "../state/observation.ts";
import type { StepContext } from "../state/step-context.ts";
import { refusal } from "../words.ts";

/** A call is about to be made: it becomes an unanswered call, or is refused because of an episode. */
export function onCall(context: StepContext, signal: SignalOf<"call">): readonly Intervention[] {
  const { policy, state } = context;
  if (findUnanswered(state, signal.id) !== undefined) return []; // a reply that is streamed again repeats its calls
  const tool = shorten(signal.tool);
  const announcedKind = Object.hasOwn(state.tools, tool) ? state.tools[tool] : undefined;
  const call: UnansweredCall = {
    id: shorten(signal.id, bounds.id),
    index: state.callCount,
    turn: state.turn,
    tool,
    kind: ruleFor(policy, tool)?.kind ?? announcedKind ?? signal.kind,
    call: signal.print,
    atMs: state.clock.elapsedMs,
  };
  state.callCount++;
  onActivity(state);
  state.textReplies = [];
  const denial = policy.mode === "guide" ? findDenial(state, call) : undefined;
  if (denial !== undefined) return [deny(context, call, denial)];
  state.unanswered = [...state.unanswered, call].slice(-bounds.unanswered);
  return [];
}

/** The call of this id that has no result yet. */
export function findUnanswered({ unanswered }: GuardianState, id: string): UnansweredCall | undefined {
  const storedId = shorten(id, bounds.id);
  return unanswered.find((call) => call.id === storedId);
}

/** Why a call is refused. */
interface Denial {
  readonly episode: Episode;
  readonly block: Block;
}

function findDenial({ episodes }: GuardianState, { call, tool }: UnansweredCall): Denial | undefined {
  const prints = [call.exact, call.loose, toolPrint(tool)];
  for (const episode of episodes.filter(isBlocking)) {
    const block = episode.blocks.find(({ print }) => prints.includes(print));
    if (block !== undefined) return { episode, block };
  }
  return undefined;
}

function isBlocking({ isClosed, isObserveOnly, level }: Episode): boolean {
  return !isClosed && !isObserveOnly && (level === "block" || level === "halt");
}

/** Refuses a call of a blocked episode. The attempt adds one to the episode, so that a model that insists is ended. */
function deny({ state, words }: StepContext, call: UnansweredCall, { episode, block }: Denial): Intervention {
  const denials = episode.denials + 1;
  const finding: Finding = {
    detector: block.detector,
    count: block.count,
    advice: block.advice,
    cause: episode.cause,
    evidence: episode.calls,
    tool: call.tool,
    words: call.call.words,
    prints: [],
    isExact: block.print === call.call.exact,
  };
  state.episodes = state.episodes.map((other) => (other.id === episode.id ? { ...episode, denials } : other));
  state.findings = withFinding(state.findings, finding);
  return createIntervention(finding, {
    id: `${episode.id}/deny/${denials}`,
    level: "block",
    effect: "deny",
    call: call.index - 1,
    denies: { callId: call.id },
    message: refusal(words(finding, "hint", { denials, isFirst: false })),
    isApplied: true,
  });
}
