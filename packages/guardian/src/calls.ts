import { bounds, short } from "./bounds.ts";
import type { Draft } from "./draft.ts";
import type { Block, Episode } from "./episode.ts";
import { about } from "./intervention.ts";
import { noted, toolPrint } from "./judge/finding.ts";
import { withNewest } from "./newest.ts";
import { type Policy, ruleFor } from "./policy.ts";
import type { OpenCall } from "./remembered-calls.ts";
import type { SignalOf } from "./signal.ts";
import type { GuardianState } from "./state.ts";
import { type Said, silent } from "./step-result.ts";
import { alive } from "./time.ts";
import { refusal, type Words } from "./words.ts";

/** A call is about to be made: it is opened, or refused where its episode says so. */
export function onCall(policy: Policy, state: Draft, signal: SignalOf<"call">, words: Words): Said {
  if (openCall(state, signal.id) !== undefined) return silent; // a re-streamed reply says it again
  const tool = short(signal.tool);
  const kind =
    ruleFor(policy, tool)?.kind ?? (Object.hasOwn(state.tools, tool) ? state.tools[tool] : undefined) ?? signal.kind;
  const call: OpenCall = {
    id: short(signal.id, bounds.id),
    index: state.calls,
    turn: state.turn,
    tool,
    kind,
    call: signal.print,
    atMs: state.clock.elapsedMs,
  };
  state.calls++;
  alive(state);
  state.messages = [];
  const denial = policy.mode === "guide" ? denialOf(state, signal) : undefined;
  if (denial !== undefined) return deny(state, denial, call, words);
  state.open = withNewest(state.open, call, bounds.open);
  return silent;
}

/** The call of this id that has no result yet. */
export function openCall({ open }: GuardianState, id: string): OpenCall | undefined {
  const known = short(id, bounds.id);
  return open.find((call) => call.id === known);
}

/** Why a call is refused. */
interface Denial {
  readonly episode: Episode;
  readonly block: Block;
}

function denialOf(state: GuardianState, { print, tool }: SignalOf<"call">): Denial | undefined {
  for (const episode of state.episodes) {
    if (episode.isClosed || episode.isObserveOnly || (episode.level !== "block" && episode.level !== "halt")) continue;
    const block = episode.blocks.find(
      (each) => each.print === print.exact || each.print === print.loose || each.print === toolPrint(short(tool)),
    );
    if (block !== undefined) return { episode, block };
  }
  return undefined;
}

/** Refuses a call of a blocked episode. The attempt adds one to the episode, so that refusing can never become the runaway. */
function deny(state: Draft, { episode, block }: Denial, call: OpenCall, words: Words): Said {
  const denied = { ...episode, denials: episode.denials + 1 };
  const { detector, count, advice } = block;
  const finding = {
    detector,
    count,
    advice,
    cause: episode.cause,
    evidence: episode.calls,
    tool: call.tool,
    words: call.call.words,
    prints: [],
    isExact: block.print === call.call.exact,
  };
  const intervention = about(finding, {
    id: `${episode.id}/deny/${denied.denials}`,
    level: "block",
    effect: "deny",
    call: call.index - 1,
    denies: { callId: call.id },
    message: refusal(words(finding, "hint", { denials: denied.denials, isFirst: false })),
    isApplied: true,
  });
  state.episodes = state.episodes.map((each) => (each.id === episode.id ? denied : each));
  state.findings = noted(state.findings, finding);
  return { ...silent, interventions: [intervention] };
}
