import { createGuardian, type Guardian, type GuardianEvent, type Tool } from "../guardian.ts";
import type { Intervention } from "../intervention.ts";
import type { Policy } from "../policy.ts";
import { defaultPolicy } from "../presets.ts";
import type { GuardianState } from "../state.ts";
import type { Stop } from "../stop.ts";
import type { Happening, ScriptedCall } from "./script.ts";

export interface PlayOptions {
  readonly policy?: Policy;
  readonly attended?: boolean;
  readonly tools?: readonly Tool[];
  readonly state?: unknown;
  /** The name of the run, where it has one. */
  readonly run?: string;
  /** Called after each happening. */
  readonly after?: (guardian: Guardian) => void;
}

/** What came of a script. */
export interface Played {
  readonly interventions: readonly Intervention[];
  /** `<detector> <level>` of each, the refusals of single calls left out: short enough to compare whole. */
  readonly said: readonly string[];
  /** How many calls were refused. */
  readonly refused: number;
  readonly recovered: readonly string[];
  readonly stop: Stop | undefined;
  readonly state: GuardianState;
}

/** Plays a script through a guardian, with a clock of its own, as a loop would: refused calls are not run, and a stopped run ends. */
export function play(script: readonly Happening[], options: PlayOptions = {}): Played {
  const interventions: Intervention[] = [];
  const recovered: string[] = [];
  const clock = { now: 1_700_000_000_000 };
  const emit = (event: GuardianEvent) => {
    if (event.type === "intervention") interventions.push(event.intervention);
    if (event.type === "recovered") recovered.push(event.episode);
  };
  const start = (state: unknown) =>
    createGuardian({
      policy: options.policy ?? defaultPolicy,
      now: () => clock.now,
      attended: options.attended ?? false,
      tools: options.tools ?? [],
      emit,
      ...(state === undefined ? {} : { state }),
      ...(options.run === undefined ? {} : { run: options.run }),
    });
  let guardian = start(options.state);
  let id = 0;
  for (const happening of script) {
    clock.now += 1;
    if (happening.type === "restart") guardian = start(JSON.parse(JSON.stringify(guardian.snapshot())));
    else if (guardian.stop === undefined || happening.type === "message") id = happen(guardian, happening, clock, id);
    options.after?.(guardian);
  }
  const said = interventions
    .filter((each) => each.denies === undefined)
    .map((each) => `${each.detector} ${each.level}`);
  return {
    interventions,
    said,
    refused: interventions.length - said.length,
    recovered,
    stop: guardian.stop,
    state: guardian.snapshot(),
  };
}

function happen(
  guardian: Guardian,
  happening: Exclude<Happening, { type: "restart" }>,
  clock: { now: number },
  id: number,
): number {
  switch (happening.type) {
    case "turn":
      return playTurn(guardian, happening.calls, clock, id);
    case "says":
      guardian.message(happening.text, happening.stop);
      guardian.endTurn();
      return id;
    case "message":
      guardian.userMessage(happening.origin);
      return id;
    case "pause":
      return passTime(guardian, clock, happening.ms, id);
    case "spend":
      guardian.observe({ type: "usage", at: clock.now, used: { "run-cost": happening.costNanoUsd }, isPriced: true });
      return id;
    case "streams":
      guardian.observe({ type: "stream-start" });
      for (let i = 0; i < happening.text.length && guardian.stop === undefined; i += 7)
        if (
          guardian
            .delta(happening.channel, happening.text.slice(i, i + 7))
            .some((each) => each.effect === "interrupt" && each.isApplied)
        )
          break;
      return id;
    case "told":
      guardian.observe(happening.signal);
      return id;
    case "compacted":
      guardian.observe({ type: "compacted", at: clock.now });
      return id;
    case "mute":
      guardian.observe({ ...happening, at: clock.now });
      return id;
    default:
      return happening satisfies never;
  }
}

function playTurn(guardian: Guardian, calls: readonly ScriptedCall[], clock: { now: number }, id: number): number {
  const allowed: [string, ScriptedCall][] = [];
  const planned = calls.map((each) => ({ ...each, id: `call_${id++}` }));
  const verdicts = guardian.beforeCalls(planned);
  planned.forEach((each, place) => void (verdicts[place]?.allow && allowed.push([each.id, each])));
  for (const [callId, each] of allowed) {
    clock.now += each.ms ?? 1;
    guardian.afterCall(callId, { status: each.status, content: each.result });
  }
  guardian.endTurn();
  return id;
}

/** A heartbeat every 20 seconds, as a loop with a timer would send. */
function passTime(guardian: Guardian, clock: { now: number }, ms: number, id: number): number {
  for (let left = ms; left > 0; left -= 20_000) {
    clock.now += Math.min(left, 20_000);
    guardian.observe({ type: "tick", at: clock.now });
  }
  return id;
}
