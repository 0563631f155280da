import { isDeepStrictEqual } from "node:util";
import { type DetectorName, type Policy, perceiveOutcome, type Signal } from "../../packages/guardian/dist/index.js";
import { redactSecrets, sha256 } from "../../packages/records/dist/index.js";
import type { Prepared } from "./contestants.ts";
import type { FlatRun } from "./flat-run.ts";
import { firstWord, watching } from "./guardian.ts";
import { score } from "./score.ts";

/** What is left of F1 without a part. */
export interface Ablation {
  readonly without: string;
  readonly f1: number | null;
  readonly difference: number | null;
  /** Runs of which the guardian is told something else, and runs in which it speaks first at another call or not at all: a part may matter and yet leave F1 alone. */
  readonly told: number;
  readonly moved: number;
}

/** Switches one part off at a time, by what the guardian is told or by its policy; the engine stays as it is. */
export function ablations(runs: readonly Prepared[], all: number | null): readonly Ablation[] {
  return [...signalParts, ...detectorParts()].map(({ without, told = (signals) => signals, policy = watching }) => {
    const changed = runs.map(({ label, signals, flat, said }) => {
      const heard = told(signals, flat);
      const reaction = firstWord(heard, policy)?.call;
      return {
        label,
        reaction,
        isTold: !isDeepStrictEqual(plain(heard), plain(signals)),
        isMoved: reaction !== said?.call,
      };
    });
    const { f1 } = score(changed);
    const difference = f1 === null || all === null ? null : f1 - all;
    return {
      without,
      f1,
      difference,
      told: changed.filter(({ isTold }) => isTold).length,
      moved: changed.filter(({ isMoved }) => isMoved).length,
    };
  });
}

/** As JSON has them: a field that is undefined is absent. */
function plain(signals: readonly Signal[]): unknown {
  return JSON.parse(JSON.stringify(signals));
}

interface Part {
  readonly without: string;
  readonly told?: (signals: readonly Signal[], run: FlatRun) => readonly Signal[];
  readonly policy?: Policy;
}

/** Detectors of what no recording tells: silence, subagents, the context. */
const untold: readonly DetectorName[] = ["stall", "spawn", "stuck-child", "compaction"];

function detectorParts(): readonly Part[] {
  const names = (Object.keys(watching.detectors) as DetectorName[]).filter((name) => !untold.includes(name)); // the keys of a policy's detectors are their names
  return names.map((name) => {
    const { [name]: _, ...detectors } = watching.detectors;
    return { without: name, policy: { ...watching, detectors } };
  });
}

type Of<T extends Signal["type"]> = Extract<Signal, { readonly type: T }>;
type Print = Of<"call">["print"];
type Outcome = Of<"result">["outcome"];

const signalParts: readonly Part[] = [
  { without: "tool kinds", told: calls((call) => ({ ...call, kind: "unknown" })) },
  { without: "targets", told: calls(({ print: { target: _, ...print }, ...call }) => ({ ...call, print })) },
  { without: "loose prints", told: prints((print) => ({ ...print, loose: print.exact })) },
  {
    without: "word sketches",
    told: (signals) => outcomes(wordless)(prints((print) => ({ ...print, words: "" }))(signals)),
  },
  { without: "masking", told: outcomes((outcome) => ({ ...outcome, masked: outcome.exact })) },
  { without: "figures (always masked)", told: outcomes((outcome) => ({ ...outcome, masked: outcome.shape })) },
  { without: "echo removal", told: withEcho },
  {
    without: "failures nobody flagged",
    told: outcomes(({ failure, ...outcome }) =>
      outcome.status === "ok" || failure === undefined ? outcome : { ...outcome, failure },
    ),
  },
  { without: "persons", told: (signals) => signals.filter(({ type }) => type !== "user-message") },
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

/** No words, but a failure is still one: a single letter stands for its masked print, so that equal prints and only those compare as equal. */
function wordless(outcome: Outcome): Outcome {
  return { ...outcome, words: "", ...(outcome.failure === undefined ? {} : { failure: letterOf(outcome.masked) }) };
}

function letterOf(print: string): string {
  let hash = 0;
  for (let i = 0; i < print.length; i++) hash = (Math.imul(hash, 31) + print.charCodeAt(i)) >>> 0;
  return String.fromCharCode(0x0800 + (hash % 0xc000));
}

/** Outcomes perceived as if nothing were known of the call. */
function withEcho(signals: readonly Signal[], run: FlatRun): readonly Signal[] {
  return signals.map((signal) => {
    if (signal.type !== "result") return signal;
    const outcome = perceiveOutcome(
      { status: signal.outcome.status, content: run.calls[Number(signal.id)]?.result },
      undefined,
      {
        digest: sha256,
        redact: redactSecrets,
      },
    );
    return { ...signal, outcome };
  });
}
