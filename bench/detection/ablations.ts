import { isDeepStrictEqual } from "node:util";
import { type DetectorName, type Policy, perceiveOutcome, type Signal } from "../../packages/guardian/dist/index.js";
import { redactSecrets, sha256 } from "../../packages/records/dist/index.js";
import type { FlatRun } from "./flat-run.ts";
import { interventions, observing } from "./guardian.ts";
import type { PreparedRun } from "./prepared-run.ts";
import { firstOnly } from "./reaction.ts";
import { score } from "./score.ts";

/** F1 without one part of the guardian. */
export interface Ablation {
  readonly without: string;
  readonly f1: number | null;
  readonly difference: number | null;
  /** Runs in which the guardian receives other signals. */
  readonly told: number;
  /** Runs in which it intervenes first at another call or not at all. A part may matter and not change F1. */
  readonly moved: number;
}

/** Turns off one part at a time, by its signals or its policy. The code of the guardian stays the same. */
export function ablations(runs: readonly PreparedRun[], all: number | null): readonly Ablation[] {
  return [...signalParts, ...detectorParts()].map(({ without, change, policy = observing }) => {
    const changed = runs.map(({ label, signals, flat, reactions: [first] }) => {
      const changedSignals = change === undefined ? signals : change(signals, flat);
      const reactions = firstOnly(interventions(changedSignals, policy));
      return {
        label,
        reactions,
        hasOtherSignals: change !== undefined && !isDeepStrictEqual(asJson(changedSignals), asJson(signals)),
        hasOtherReaction: reactions[0]?.call !== first?.call,
      };
    });
    const { f1 } = score(changed);
    const difference = f1 === null || all === null ? null : f1 - all;
    return {
      without,
      f1,
      difference,
      told: changed.filter(({ hasOtherSignals }) => hasOtherSignals).length,
      moved: changed.filter(({ hasOtherReaction }) => hasOtherReaction).length,
    };
  });
}

/** The signals after a round trip through JSON: a field that is undefined is absent. */
function asJson(signals: readonly Signal[]): unknown {
  return JSON.parse(JSON.stringify(signals));
}

interface Part {
  readonly without: string;
  readonly change?: (signals: readonly Signal[], run: FlatRun) => readonly Signal[];
  readonly policy?: Policy;
}

/** Detectors whose signals no recording has: verdicts, silence, subagents, the context. */
const notRecorded: readonly DetectorName[] = ["refused-answers", "stall", "spawn", "stuck-child", "compaction"];

function detectorParts(): readonly Part[] {
  const names = Object.keys(observing.detectors) as DetectorName[]; // the keys are detector names
  return names
    .filter((name) => !notRecorded.includes(name))
    .map((name) => {
      const { [name]: _, ...detectors } = observing.detectors;
      return { without: name, policy: { ...observing, detectors } };
    });
}

type Of<T extends Signal["type"]> = Extract<Signal, { readonly type: T }>;
type Print = Of<"call">["print"];
type Outcome = Of<"result">["outcome"];

const signalParts: readonly Part[] = [
  { without: "tool kinds", change: calls((call) => ({ ...call, kind: "unknown" })) },
  { without: "targets", change: calls(({ print: { target: _, ...print }, ...call }) => ({ ...call, print })) },
  { without: "loose prints", change: prints((print) => ({ ...print, loose: print.exact })) },
  {
    without: "word sketches",
    change: (signals) => outcomes(wordless)(prints((print) => ({ ...print, words: "" }))(signals)),
  },
  { without: "masked prints", change: outcomes((outcome) => ({ ...outcome, masked: outcome.exact })) },
  { without: "figures (always masked)", change: outcomes((outcome) => ({ ...outcome, masked: outcome.shape })) },
  { without: "echo removal", change: withEcho },
  {
    without: "unflagged failures",
    change: outcomes(({ failure, ...outcome }) =>
      outcome.status === "ok" || failure === undefined ? outcome : { ...outcome, failure },
    ),
  },
  { without: "user messages", change: (signals) => signals.filter(({ type }) => type !== "user-message") },
];

function calls(change: (call: Of<"call">) => Of<"call">): (signals: readonly Signal[]) => readonly Signal[] {
  return (signals) => signals.map((signal) => (signal.type === "call" ? change(signal) : signal));
}

function prints(change: (print: Print) => Print): (signals: readonly Signal[]) => readonly Signal[] {
  return calls((call) => ({ ...call, print: change(call.print) }));
}

function outcomes(change: (outcome: Outcome) => Outcome): (signals: readonly Signal[]) => readonly Signal[] {
  return (signals) =>
    signals.map((signal) => (signal.type === "result" ? { ...signal, outcome: change(signal.outcome) } : signal));
}

/** Removes words. A failure becomes one letter for its masked print, so that only equal prints compare as equal. */
function wordless(outcome: Outcome): Outcome {
  return { ...outcome, words: "", ...(outcome.failure === undefined ? {} : { failure: letterOf(outcome.masked) }) };
}

function letterOf(print: string): string {
  let hash = 0;
  for (let i = 0; i < print.length; i++) hash = (Math.imul(hash, 31) + print.charCodeAt(i)) >>> 0;
  return String.fromCharCode(0x0800 + (hash % 0xc000));
}

/** Outcomes that are perceived without knowledge of the call. */
function withEcho(signals: readonly Signal[], run: FlatRun): readonly Signal[] {
  return signals.map((signal) => {
    if (signal.type !== "result") return signal;
    const result = { status: signal.outcome.status, content: run.calls[Number(signal.id)]?.result };
    const outcome = perceiveOutcome(result, undefined, { digest: sha256, redact: redactSecrets });
    return { ...signal, outcome };
  });
}
