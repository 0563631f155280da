import type { Intervention } from "./intervention.ts";
import { plainDigest } from "./perceive/hash.ts";
import { annotatedKind, type ToolAnnotations } from "./perceive/kind.ts";
import { maskSecrets } from "./perceive/mask-secrets.ts";
import { perceiveCall, perceiveOutcome, perceiveText, type RawResult, type Senses } from "./perceive/perceive.ts";
import type { Digest } from "./perceive/print.ts";
import type { DetectorName, Policy } from "./policy.ts";
import { defaultPolicy } from "./presets.ts";
import { restoreState } from "./restore.ts";
import type { Origin, Signal, ToolKind } from "./signal.ts";
import { bounds, type GuardianState, initialState, type Stop, short } from "./state.ts";
import { fold, step } from "./step.ts";
import type { Step } from "./step-result.ts";
import { ended, plainWords, type Words } from "./words.ts";

/** What happened inside the guardian, for logs and screens. */
export type GuardianEvent =
  | { readonly type: "intervention"; readonly intervention: Intervention }
  | { readonly type: "recovered"; readonly episode: string }
  | { readonly type: "refused"; readonly callId: string; readonly reason: string }
  | { readonly type: "detector-off"; readonly detector: DetectorName }
  | { readonly type: "restored"; readonly note: string };

/** A tool as the caller knows it. */
export interface Tool {
  readonly name: string;
  readonly kind?: ToolKind;
  /** What an MCP server says of it. */
  readonly annotations?: ToolAnnotations;
}

export interface GuardianOptions {
  /** Default: the policy of that name. */
  readonly policy?: Policy;
  /** Milliseconds since 1970; a clock of the caller's. */
  readonly now: () => number;
  /** What `snapshot()` gave, as it came back from where it was kept. */
  readonly state?: unknown;
  readonly attended?: boolean;
  readonly tools?: readonly Tool[];
  readonly digest?: Digest;
  /** Takes secrets out of the one line of a result that a message may quote; default: `maskSecrets`. */
  readonly redact?: (line: string) => string;
  readonly words?: Words;
  readonly emit?: (event: GuardianEvent) => void;
}

const UNREADABLE = "<unreadable>";

export type Verdict = { readonly allow: true } | { readonly allow: false; readonly message: string };

/** The guardian with its memory: three things a loop needs, and one door for the rest. */
export interface Guardian {
  /** Asked before a call is run. A refusal's message goes to the model in place of the result. */
  beforeCall(call: { readonly id: string; readonly tool: string; readonly args: unknown; readonly kind?: ToolKind; readonly key?: string }): Verdict;
  /** Told how a call ended. A refused call needs none. */
  afterCall(id: string, result: RawResult): void;
  /** All calls of the turn have their results: what to tell the model now, each once. Without it the guardian stays silent. */
  endTurn(): readonly Intervention[];
  /** A message came in; a person's excuses looking again. */
  userMessage(origin: Origin): void;
  /** A reply without calls was made. */
  message(text: string): void;
  /** Every other signal; returns what it led to. */
  observe(signal: Signal): readonly Intervention[];
  /** Set once the run has to end, with what to say about it. */
  readonly stop: Stop | undefined;
  /** The state to save with the turn; plain JSON. */
  snapshot(): GuardianState;
}

/** A guardian for one session. It is told what the agent does and answers what to do about it; it does nothing by itself. */
export function createGuardian(options: GuardianOptions): Guardian {
  const policy = { ...defaultPolicy, ...options.policy };
  const words = guarded(options.words ?? plainWords, plainWords);
  const senses: Senses = { digest: options.digest ?? plainDigest, redact: guarded(options.redact ?? maskSecrets, () => "") };
  const emit = guarded(options.emit ?? (() => {}), () => {});
  const perceive = guarded(perceiveCall, (call) => perceiveCall({ tool: call.tool, args: UNREADABLE }, senses));
  const perceiveEnd = guarded(perceiveOutcome, (result, call) => perceiveOutcome({ status: result?.status ?? "error", content: UNREADABLE }, call, senses));
  const restored = options.state === undefined ? undefined : restoreState(options.state, senses.digest.name);
  let state = restored?.state ?? initialState(senses.digest.name);
  if (restored?.note !== undefined) emit({ type: "restored", note: restored.note });

  /** A state that makes the step throw was not made by it: what is left is to begin again, and to say so. */
  function startAfresh(_policy: Policy, _state: GuardianState, signal: Signal): Step {
    emit({ type: "restored", note: "the guardian state cannot be read; starting afresh" });
    return step(policy, initialState(senses.digest.name), signal, words);
  }

  function now(): number {
    const at = options.now();
    return Number.isFinite(at) ? at : state.clock.at;
  }

  function send(signal: Signal, take = fold): Step {
    const known = state.broken?.length ?? 0; // of a saved state, not yet seen to be one
    const taken = guarded(take, startAfresh)(policy, state, signal, words);
    state = taken.state;
    for (const detector of state.broken.slice(known)) emit({ type: "detector-off", detector });
    for (const intervention of taken.interventions) emit({ type: "intervention", intervention });
    for (const episode of taken.recovered) emit({ type: "recovered", episode });
    return taken;
  }

  const tools = (options.tools ?? []).map((tool) => {
    const kind = tool.kind ?? annotatedKind(tool.annotations);
    return { name: tool.name, ...(kind === undefined ? {} : { kind }) };
  });
  send({ type: "run-start", at: now(), attended: options.attended ?? false, tools }, step);

  return {
    beforeCall(call) {
      const [id, tool] = [String(call.id), String(call.tool)]; // from a model, by way of callers without types
      if (state.stopped !== undefined) {
        emit({ type: "refused", callId: id, reason: state.stopped.reason });
        return { allow: false, message: ended(state.stopped.reason) };
      }
      const { interventions } = send({ type: "call", at: now(), id, tool, ...perceive({ ...call, tool }, senses) });
      const denial = interventions.find((each) => each.denies?.callId !== undefined && each.isApplied);
      return denial === undefined ? { allow: true } : { allow: false, message: denial.message };
    },
    afterCall(id, result) {
      const print = state.open.find((call) => call.id === short(String(id), bounds.id))?.call;
      send({ type: "result", at: now(), id: String(id), outcome: perceiveEnd(result, print, senses) });
    },
    endTurn() {
      return send({ type: "turn-end", at: now() }).interventions.filter((each) => each.isApplied && each.effect !== "stop");
    },
    userMessage(origin) {
      send({ type: "user-message", at: now(), origin }, step);
    },
    message(text) {
      send({ type: "reply", at: now(), stop: "end", calls: 0, words: perceiveText(text) });
    },
    observe: (signal) => send(signal, step).interventions,
    get stop() {
      return state.stopped;
    },
    snapshot: () => ({ ...state, stream: { tail: "", checked: 0 }, found: state.found.map(({ excerpt: _, ...finding }) => finding) }),
  };
}

/** What a caller's function gives, or the next best where it throws: no one's slip may end the run it watches. */
function guarded<A extends unknown[], R>(call: (...args: A) => R, instead: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return call(...args);
    } catch {
      return instead(...args); // becomes a value: plain words, nothing quoted, an event that nobody heard
    }
  };
}
