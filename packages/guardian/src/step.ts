import { closestName } from "./closest-name.ts";
import { callDetectors } from "./detectors/index.ts";
import type { Finding } from "./finding.ts";
import type { Intervention } from "./intervention.ts";
import { climb } from "./ladder.ts";
import { type DetectorName, detectorNames, type Policy, ruleFor } from "./policy.ts";
import type { OutcomePrint } from "./print.ts";
import { recoverByCall, recoverByPerson } from "./recover.ts";
import { isChange, look, type Sight } from "./sight.ts";
import type { Signal } from "./signal.ts";
import { bounds, type Episode, type GuardianState, type Observation, type OpenCall, type Trace } from "./state.ts";
import { plainWords, refusal, type Words } from "./words.ts";

/** What a signal led to. */
export interface Step {
  readonly state: GuardianState;
  readonly interventions: readonly Intervention[];
  /** Episodes that closed. */
  readonly recovered: readonly string[];
}

type SignalOf<T extends Signal["type"]> = Extract<Signal, { readonly type: T }>;

const GAP_MS = 30_000;

/**
 * The guardian's heart: folds a signal into the state and says what to do about it. Pure: the same signals always give the same interventions.
 * Calls are judged as their results come in; what was found is told at the end of the turn, so that every call has its result first.
 */
export function step(policy: Policy, before: GuardianState, signal: Signal, words: Words = plainWords): Step {
  const state = tick(before, signal);
  switch (signal.type) {
    case "run-start":
      return quiet(onRunStart(state, signal));
    case "user-message":
      return onUserMessage(state, signal);
    case "call":
      return onCall(policy, state, signal, words);
    case "result":
      return onResult(policy, state, signal);
    case "turn-end":
      return onTurnEnd(policy, state, words);
    case "reply":
      return quiet(onReply(state, signal));
    case "usage":
      return quiet(onUsage(state, signal));
    case "compacted":
      return quiet({ ...state, compaction: state.compaction + 1 });
    case "waiting":
      return quiet({ ...state, clock: { ...state.clock, idleMs: 0, waitingFor: signal.for } });
    case "mute":
      return quiet(onMute(state, signal));
    case "child-start":
      return quiet({ ...state, children: [...state.children, { id: name(signal.id), depth: signal.depth, findings: [] }].slice(-bounds.children) });
    case "child-end":
      return quiet({ ...state, children: state.children.filter((child) => child.id !== name(signal.id)) });
    case "stream-start":
    case "delta":
    case "tick":
      return quiet(state);
    default:
      return signal satisfies never;
  }
}

function quiet(state: GuardianState): Step {
  return { state, interventions: [], recovered: [] };
}

/** Time passed is the sum of gaps, each clipped: a clock that jumps and a laptop that sleeps do no harm. */
function tick(state: GuardianState, signal: Signal): GuardianState {
  const { clock } = state;
  const gap = clock.at === 0 ? 0 : Math.min(Math.max(signal.at - clock.at, 0), GAP_MS);
  return { ...state, clock: { ...clock, at: signal.at, elapsedMs: clock.elapsedMs + gap, idleMs: clock.idleMs + gap } };
}

function onRunStart(state: GuardianState, signal: SignalOf<"run-start">): GuardianState {
  const { stopped: _, ...going } = state;
  const tools = Object.fromEntries(signal.tools.slice(0, bounds.tools).map((tool) => [name(tool.name), tool.kind ?? null]));
  // A run that goes on after a halt meets the block first, and is ended again if it insists.
  const episodes = state.episodes.map((episode): Episode => (episode.level === "halt" ? { ...episode, level: "block", denials: 0 } : episode));
  return { ...going, attended: signal.attended, tools, episodes, open: [], found: [] };
}

function onUserMessage(state: GuardianState, signal: SignalOf<"user-message">): Step {
  if (signal.origin === "automatic") return quiet(state);
  const spoken = signal.origin === "person" ? { personTurn: state.personTurn + 1 } : { schedule: state.schedule + 1 };
  const { stopped: _, ...going } = state;
  return { interventions: [], ...recoverByPerson({ ...going, ...spoken }) };
}

function onCall(policy: Policy, state: GuardianState, signal: SignalOf<"call">, words: Words): Step {
  const id = name(signal.id);
  if (state.open.some((call) => call.id === id)) return quiet(state); // a re-streamed reply says it again
  const tool = name(signal.tool);
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
    advice: "change-approach",
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
    message: refusal(call.tool, words(finding, "hint", { denials: denied.denials })),
    isApplied: true,
  };
  const episodes = state.episodes.map((each) => (each.id === episode.id ? denied : each));
  return { state: { ...state, episodes, found: noted(state.found, [finding]) }, interventions: [intervention], recovered: [] };
}

function onResult(policy: Policy, state: GuardianState, signal: SignalOf<"result">): Step {
  const call = state.open.find((each) => each.id === name(signal.id));
  if (call === undefined) return quiet(state); // a result nobody asked for, or one told twice
  const waiting = { ...state, open: state.open.filter((each) => each !== call), clock: { ...state.clock, idleMs: 0 } };
  if (call.isDenied) return quiet(waiting);
  const { excerpt, ...outcome } = signal.outcome;
  const sight = look(state, observation(state, call, outcome));
  const judged = judge(policy, waiting, sight, excerpt);
  const remembered = remember(judged, sight.newest);
  const { state: after, recovered } = recoverByCall(remembered, sight.newest);
  return { state: isChange(sight.newest) ? { ...after, epoch: after.epoch + 1 } : after, interventions: [], recovered };
}

function observation(state: GuardianState, call: OpenCall, outcome: Omit<OutcomePrint, "excerpt">): Observation {
  const cost = state.limits["run-cost"]?.used;
  return {
    index: call.index,
    turn: state.turn,
    personTurn: state.personTurn,
    schedule: state.schedule,
    compaction: state.compaction,
    epoch: state.epoch,
    atMs: call.atMs,
    ms: state.clock.elapsedMs - call.atMs,
    ...(cost === undefined ? {} : { costNanoUsd: cost }),
    tool: call.tool,
    kind: call.kind,
    call: call.call,
    outcome,
    likeness: 0,
    redundancy: 0,
  };
}

/** Asks every detector. One that throws is switched off and named; the others go on. */
function judge(policy: Policy, state: GuardianState, sight: Sight, excerpt: string | undefined): GuardianState {
  const findings: Finding[] = [];
  const broken: DetectorName[] = [];
  for (const detector of detectorNames) {
    const detect = callDetectors[detector];
    if (detect === undefined || policy.detectors[detector] === undefined || state.broken.includes(detector)) continue;
    try {
      const finding = detect(sight);
      if (finding !== undefined) findings.push(detailed(state, finding, excerpt));
    } catch {
      broken.push(detector);
    }
  }
  return { ...state, found: noted(state.found, findings), ...(broken.length === 0 ? {} : { broken: [...state.broken, ...broken] }) };
}

function detailed(state: GuardianState, finding: Finding, excerpt: string | undefined): Finding {
  const closest = finding.advice === "unknown-tool" ? closestName(finding.tool, Object.keys(state.tools)) : undefined;
  return { ...finding, ...(excerpt === undefined ? {} : { excerpt }), ...(closest === undefined ? {} : { closest }) };
}

/** Of several findings about one cause in a turn the newest speaks. */
function noted(found: readonly Finding[], more: readonly Finding[]): readonly Finding[] {
  const causes = new Set(more.map((finding) => finding.cause));
  return [...found.filter((finding) => !causes.has(finding.cause)), ...more].slice(-bounds.found);
}

/** The ring: the newest calls in full, those before as traces. */
function remember(state: GuardianState, newest: Observation): GuardianState {
  const history = [...state.history, newest];
  if (history.length <= bounds.history) return { ...state, history };
  const [oldest, ...rest] = history as [Observation, ...Observation[]]; // longer than its bound, so not empty
  return { ...state, history: rest, past: [...state.past, traceOf(oldest)].slice(-bounds.past) };
}

function traceOf(each: Observation): Trace {
  return [each.index, each.turn, each.personTurn, each.schedule, each.epoch, each.kind, each.call.exact, each.outcome.masked, each.isSettled ? 1 : 0];
}

function onTurnEnd(policy: Policy, state: GuardianState, words: Words): Step {
  const climbed = climb(policy, state, words);
  return { state: { ...climbed.state, turn: state.turn + 1 }, interventions: climbed.interventions, recovered: [] };
}

function onReply(state: GuardianState, signal: SignalOf<"reply">): GuardianState {
  const clock = { ...state.clock, idleMs: 0 };
  if (signal.calls > 0) return { ...state, clock, stream: { tail: "", checked: 0 } };
  return {
    ...state,
    clock,
    stream: { tail: "", checked: 0 },
    messages: [...state.messages, { turn: state.turn, words: signal.words }].slice(-bounds.messages),
  };
}

function onUsage(state: GuardianState, signal: SignalOf<"usage">): GuardianState {
  const limits = { ...state.limits };
  for (const [limit, used] of Object.entries(signal.used)) {
    const key = limit as keyof typeof limits; // the keys of `used` are limit names by its type
    limits[key] = { ...limits[key], used };
  }
  return { ...state, limits, isPriced: signal.isPriced };
}

function onMute(state: GuardianState, { detector, tool, call }: SignalOf<"mute">): GuardianState {
  const mute = {
    ...(detector === undefined ? {} : { detector }),
    ...(tool === undefined ? {} : { tool: name(tool) }),
    ...(call === undefined ? {} : { call }),
  };
  const episodes = state.episodes.filter(
    (episode) =>
      (detector !== undefined && episode.detector !== detector) ||
      (tool !== undefined && episode.tool !== tool) ||
      (call !== undefined && !episode.prints.includes(call)),
  );
  return { ...state, mutes: [...state.mutes, mute].slice(-bounds.mutes), episodes };
}

/** Names and ids come from elsewhere and may be of any length. */
function name(text: string): string {
  return text.length <= bounds.name ? text : `${text.slice(0, bounds.name - 12)}…${text.slice(-8)}`;
}
