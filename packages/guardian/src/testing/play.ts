import { createGuardian, type Guardian } from "../guardian.ts";
import type { GuardianEvent, Tool } from "../guardian-options.ts";
import type { Policy } from "../policy/policy.ts";
import type { SignalOf } from "../signal.ts";
import type { GuardianState, Stop } from "../state/guardian-state.ts";
import type { Intervention } from "../state/intervention.ts";
import type { OpinionRequest } from "../state/opinion.ts";
import type { ScriptedCall, ScriptStep } from "./script.ts";

export interface PlayOptions {
  readonly policy?: Policy;
  readonly attended?: boolean;
  readonly tools?: readonly Tool[];
  readonly state?: unknown;
  /** The name of the run. */
  readonly run?: string;
  /** Answers requests for a second opinion, at once. */
  readonly opinion?: (request: OpinionRequest) => Opinion | undefined;
  /** Called after each step of the script. */
  readonly after?: (guardian: Guardian) => void;
}

/** An answer to a request. */
type Opinion = Pick<SignalOf<"opinion">, "verdict" | "advice">;

/** The outcome of a script. */
export interface PlayResult {
  readonly interventions: readonly Intervention[];
  /** `<detector> <level>` of each intervention, without the refusals of single calls: short enough to compare whole. */
  readonly summary: readonly string[];
  /** The number of refused calls. */
  readonly refused: number;
  readonly recovered: readonly string[];
  /** The requests for a second opinion. */
  readonly asked: readonly OpinionRequest[];
  readonly stop: Stop | undefined;
  readonly state: GuardianState;
}

/**
 * Plays a script through a guardian with a clock of its own, as a loop would: refused calls are not executed, and a
 * stopped run ends.
 */
export function play(script: readonly ScriptStep[], options: PlayOptions = {}): PlayResult {
  const { after, opinion, state: savedState, ...guardianOptions } = options;
  const interventions: Intervention[] = [];
  const recovered: string[] = [];
  const asked: OpinionRequest[] = [];
  const clock: ManualClock = { now: 1_700_000_000_000 };
  const emit = (event: GuardianEvent) => {
    if (event.type === "intervention") interventions.push(event.intervention);
    if (event.type === "recovered") recovered.push(event.episode);
    if (event.type === "opinion-wanted") asked.push(event.request);
  };
  const start = (state: unknown) => createGuardian({ ...guardianOptions, now: () => clock.now, emit, state });
  const player = { guardian: start(savedState), clock, nextCall: 0 };
  for (const scriptStep of script) {
    clock.now += 1;
    const askedBefore = asked.length;
    if (scriptStep.type === "restart") player.guardian = start(JSON.parse(JSON.stringify(player.guardian.snapshot())));
    else if (player.guardian.stop === undefined || isByUser(scriptStep)) playStep(player, scriptStep);
    for (const request of asked.slice(askedBefore)) {
      const answer = opinion?.(request);
      if (answer !== undefined) player.guardian.observe({ ...answer, type: "opinion", request: request.id });
    }
    after?.(player.guardian);
  }
  const summary = interventions
    .filter(({ denies }) => denies === undefined)
    .map(({ detector, level }) => `${detector} ${level}`);
  return {
    interventions,
    summary,
    refused: interventions.length - summary.length,
    recovered,
    asked,
    stop: player.guardian.stop,
    state: player.guardian.snapshot(),
  };
}

/** A user can speak to a stopped run. */
function isByUser({ type }: ScriptStep): boolean {
  return type === "message" || type === "mute" || type === "unmute";
}

interface ManualClock {
  now: number;
}

interface Player {
  readonly guardian: Guardian;
  readonly clock: ManualClock;
  nextCall: number;
}

function playStep(player: Player, scriptStep: Exclude<ScriptStep, { type: "restart" }>): void {
  const { guardian } = player;
  switch (scriptStep.type) {
    case "turn":
      playTurn(player, scriptStep.calls);
      break;
    case "says":
      guardian.message(scriptStep.text, scriptStep.stop);
      guardian.endTurn();
      break;
    case "message":
      guardian.userMessage(scriptStep.origin);
      break;
    case "pause":
      playPause(player, scriptStep.ms);
      break;
    case "spend":
      guardian.observe({ type: "usage", used: { "run-cost": scriptStep.costNanoUsd }, isPriced: true });
      break;
    case "streams":
      playStream(player, scriptStep);
      break;
    case "signal":
      guardian.observe(scriptStep.signal);
      break;
    case "compacted":
    case "mute":
    case "unmute":
      guardian.observe(scriptStep);
      break;
    default:
      scriptStep satisfies never;
  }
}

function playTurn(player: Player, calls: readonly ScriptedCall[]): void {
  const { guardian, clock } = player;
  const planned = calls.map((call) => ({ ...call, id: `call_${player.nextCall++}` }));
  const decisions = guardian.beforeCalls(planned);
  for (const { id, ms = 1, status, result } of planned.filter((_, i) => decisions[i]?.allow)) {
    clock.now += ms;
    guardian.afterCall(id, { status, content: result });
  }
  guardian.endTurn();
}

/** Streams a text, seven characters at a time, until it is interrupted. */
function playStream({ guardian }: Player, { channel, text }: Extract<ScriptStep, { type: "streams" }>): void {
  guardian.observe({ type: "stream-start" });
  for (let i = 0; i < text.length && guardian.stop === undefined; i += 7) {
    const interventions = guardian.delta(channel, text.slice(i, i + 7));
    if (interventions.some(({ effect, isApplied }) => effect === "interrupt" && isApplied)) return;
  }
}

/** A tick every 20 seconds, as a loop with a timer would send. */
function playPause({ guardian, clock }: Player, ms: number): void {
  for (let left = ms; left > 0; left -= 20_000) {
    clock.now += Math.min(left, 20_000);
    guardian.observe({ type: "tick" });
  }
}
