import { isSimilarCall } from "../detect/similar-call.ts";
import { ruleFor } from "../policy/tool-rule.ts";
import type { SignalOf } from "../signal.ts";
import { bounds, shorten } from "../state/bounds.ts";
import { onActivity } from "../state/clock.ts";
import type { Block, Episode } from "../state/episode.ts";
import { type Finding, type SimilarCalls, toolPrint, withFinding } from "../state/finding.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import { createIntervention, type Intervention } from "../state/intervention.ts";
import type { UnansweredCall } from "../state/observation.ts";
import type { StepContext } from "../state/step-context.ts";
import { refusal, similarRefusal } from "../words.ts";

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
    atMs: state.clock.workMs,
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
  /** Set when the call is refused because it is nearly the same as a blocked one. */
  readonly similarCalls?: SimilarCalls | undefined;
}

function findDenial({ episodes }: GuardianState, planned: UnansweredCall): Denial | undefined {
  const { call, tool } = planned;
  const prints = [call.exact, call.loose, toolPrint(tool)];
  for (const episode of episodes.filter(isBlocking)) {
    const block = episode.blocks.find(({ print }) => prints.includes(print));
    if (block !== undefined) return { episode, block };
    const newestBlock = episode.blocks.at(-1);
    if (newestBlock !== undefined && isRefusedAsSimilar(episode, planned))
      return { episode, block: newestBlock, similarCalls: episode.similarCalls };
  }
  return undefined;
}

function isRefusedAsSimilar({ similarCalls, hasOtherSuccess }: Episode, planned: UnansweredCall): boolean {
  return similarCalls !== undefined && !hasOtherSuccess && isSimilarCall(planned, similarCalls);
}

function isBlocking({ isClosed, isObserveOnly, isMuted, level }: Episode): boolean {
  return !isClosed && !isObserveOnly && !isMuted && (level === "block" || level === "halt");
}

/** Refuses a call of a blocked episode. The attempt adds one to the episode, so that a model that insists is ended. */
function deny({ state, words }: StepContext, call: UnansweredCall, denial: Denial): Intervention {
  const { episode, block, similarCalls } = denial;
  // Versions of a call in one turn are one attempt.
  const isCounted = similarCalls === undefined || episode.lastDenialTurn !== state.turn;
  const denials = episode.denials + (isCounted ? 1 : 0);
  const finding: Finding = {
    detector: block.detector,
    count: block.count,
    exactCount: block.exactCount,
    times: block.times,
    toolCount: block.toolCount,
    advice: block.advice,
    cause: episode.cause,
    evidence: episode.calls,
    tool: call.tool,
    words: call.call.words,
    prints: [],
    similarCalls,
    isExact: block.print === call.call.exact,
  };
  const message = words(finding, "hint", { denials, isFirst: false });
  const extended = { ...episode, denials, lastDenialTurn: state.turn };
  state.episodes = state.episodes.map((other) => (other.id === episode.id ? extended : other));
  state.findings = withFinding(state.findings, finding);
  return createIntervention(finding, {
    id: `${episode.id}/deny/${isCounted ? denials : `${denials}/${call.index}`}`,
    level: "block",
    effect: "deny",
    call: call.index - 1,
    denies: { callId: call.id },
    message: similarCalls === undefined ? refusal(message) : similarRefusal(message),
    isApplied: true,
  });
}
