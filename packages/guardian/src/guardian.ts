import type { Intervention } from "./intervention.ts";
import { plainDigest } from "./perceive/hash.ts";
import { annotatedKind, type ToolAnnotations } from "./perceive/kind.ts";
import { perceiveCall, perceiveOutcome, perceiveText, type RawResult, type Senses } from "./perceive/perceive.ts";
import type { Digest } from "./perceive/print.ts";
import type { DetectorName, Policy } from "./policy.ts";
import { defaultPolicy } from "./presets.ts";
import { restoreState } from "./restore.ts";
import type { Origin, Signal, ToolKind } from "./signal.ts";
import { bounds, type GuardianState, initialState, type Stop, short } from "./state.ts";
import { step, trustedStep } from "./step.ts";
import type { Step } from "./step-result.ts";
import { ended, plainWords, type Words } from "./words.ts";

/** What happened inside the guardian, for logs and screens. */
export type GuardianEvent =
  | { readonly type: "intervention"; readonly intervention: Intervention }
  | { readonly type: "recovered"; readonly episode: string }
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
  /** Takes secrets out of the one line of a result that a message may quote; default: nothing is quoted that looks like a secret's assignment. */
  readonly redact?: (line: string) => string;
  readonly words?: Words;
  readonly emit?: (event: GuardianEvent) => void;
}

export type Verdict = { readonly allow: true } | { readonly allow: false; readonly message: string };

/** The guardian with its memory: three things a loop needs, and one door for the rest. */
export interface Guardian {
  /** Asked before a call is run. A refusal's message goes to the model in place of the result. */
  beforeCall(call: { readonly id: string; readonly tool: string; readonly args: unknown; readonly kind?: ToolKind; readonly key?: string }): Verdict;
  /** Told how a call ended. */
  afterCall(id: string, result: RawResult): void;
  /** All calls of the turn have their results: what to tell the model now, each once. */
  endTurn(): readonly Intervention[];
  /** A message came in; a person's excuses looking again. */
  userMessage(origin: Origin): void;
  /** A reply without calls was made. */
  message(text: string): void;
  /** Every other signal; returns what it led to. */
  observe(signal: Signal): readonly Intervention[];
  /** Set once the run has to end. */
  readonly stop: Stop | undefined;
  /** The state to save with the turn; plain JSON. */
  snapshot(): GuardianState;
}

/** A guardian for one session. It is told what the agent does and answers what to do about it; it does nothing by itself. */
export function createGuardian(options: GuardianOptions): Guardian {
  const policy = options.policy ?? defaultPolicy;
  const words = options.words ?? plainWords;
  const senses: Senses = { digest: options.digest ?? plainDigest, redact: options.redact ?? hideAssignedSecrets };
  const emit = options.emit ?? (() => {});
  const restored = options.state === undefined ? undefined : restoreState(options.state, senses.digest.name);
  let state = restored?.state ?? initialState(senses.digest.name);
  if (restored?.note !== undefined) emit({ type: "restored", note: restored.note });

  function send(signal: Signal, take: typeof trustedStep = trustedStep): Step {
    const known = state.broken.length;
    const taken = take(policy, state, signal, words);
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
  send({ type: "run-start", at: options.now(), attended: options.attended ?? false, tools });

  return {
    beforeCall(call) {
      if (state.stopped !== undefined) return { allow: false, message: ended(state.stopped.reason) };
      const [id, tool] = [String(call.id), String(call.tool)]; // from a model, by way of callers without types
      const { interventions } = send({ type: "call", at: options.now(), id, tool, ...perceiveCall({ ...call, tool }, senses) });
      const denial = interventions.find((each) => each.denies?.callId !== undefined && each.isApplied);
      return denial === undefined ? { allow: true } : { allow: false, message: denial.message };
    },
    afterCall(id, result) {
      const print = state.open.find((call) => call.id === short(String(id), bounds.id))?.call;
      send({ type: "result", at: options.now(), id: String(id), outcome: perceiveOutcome(result, print, senses) });
    },
    endTurn() {
      return send({ type: "turn-end", at: options.now() }).interventions.filter((each) => each.isApplied && each.effect !== "stop");
    },
    userMessage(origin) {
      send({ type: "user-message", at: options.now(), origin });
    },
    message(text) {
      send({ type: "reply", at: options.now(), stop: "end", calls: 0, words: perceiveText(text) });
    },
    observe: (signal) => send(signal, step).interventions,
    get stop() {
      return state.stopped;
    },
    snapshot: () => ({ ...state, stream: { tail: "", checked: 0 } }),
  };
}

/** The least that is hidden when the caller brings no masking of its own: what stands behind a word like password or token. */
function hideAssignedSecrets(line: string): string {
  if (!/pass|secret|token|key|auth|credential/i.test(line)) return line;
  return line.replace(
    /\b((?:[\w-]*(?:password|passwd|secret|token|api[_-]?key|authorization|credential)[\w-]*)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?)[^\s"',;]+/gi,
    "$1…",
  );
}
