import type { Policy } from "@sheepdog/guardian";
import {
  analyzeRun,
  equalCallTrace,
  type FoundEpisode,
  type RecordedCall,
  type RecordedRun,
  type RunAnalysis,
  type RunReport,
  remainingSpend,
} from "@sheepdog/records";
import type { Sentence } from "@sheepdog/web/contract";
import { isLimit } from "../render/timeline/is-limit.ts";
import { type Loop, mainLoop } from "../saved-runs/trace/loops.ts";
import { timesText, toUsd } from "../sentences/amount-text.ts";
import { callText } from "../sentences/call-text.ts";
import { firstSentence } from "../sentences/first-sentence.ts";
import { loopPhrase } from "../sentences/loop-phrase.ts";
import { capitalized, say } from "../sentences/say.ts";
import { episodeSentence } from "./episode-sentence.ts";
import { type PlacedCall, placedCalls } from "./placed-calls.ts";

/** A point at which a run would have been ended, and what it did afterwards. */
export interface StopPoint {
  readonly limit: number;
  readonly savedUsd: number;
  readonly savedCalls: number;
}

/** What is kept of the analysis of a run: plain data without its texts, small enough for thousands of runs. */
export interface RunFacts {
  readonly calls: number;
  readonly turns: number;
  /** null if no cost is recorded. */
  readonly costUsd: number | null;
  readonly unpricedTokens: number;
  /** What the run came to, in its last words, or else its task. */
  readonly title: Sentence;
  readonly stuck: StuckFacts | null;
  /** By number of equal calls, ascending. */
  readonly equalCalls: readonly StopPoint[];
  /** The call that was repeated most: "`npm test` 11 times"; empty if none was. */
  readonly repeated: string;
  /** What was spent and how many calls were made by the end of each turn; two lists of numbers need little memory. */
  readonly spent: { readonly nanoUsd: readonly number[]; readonly calls: readonly number[] };
}

/** How a run got stuck. */
interface StuckFacts {
  readonly detector: string;
  readonly sentence: Sentence;
  readonly calls: number;
  readonly costUsd: number | null;
  /** What the run had spent at the first intervention. */
  readonly firstHintUsd: number | null;
  /** What was spent after the policy would have ended it; 0 if it would not. */
  readonly savedUsd: number | null;
}

/** The highest number of equal calls that is counted. */
const MAX_COUNT = 14;

/** Analyzes a run with the guardian. */
export function runFacts(run: RecordedRun, policy: Policy): RunFacts {
  return factsOfReport(run, policy, analyzeRun(run, policy));
}

/** The facts of a run that has been analyzed. */
export function factsOfReport(
  run: RecordedRun,
  policy: Policy,
  { report, episodes }: Pick<RunAnalysis, "report" | "episodes">,
): RunFacts {
  const points = hasRepeats(report, policy) ? equalCallTrace(run, policy).points : [];
  const calls = placedCalls(run);
  const highest = points.at(-1);
  return {
    calls: report.calls,
    turns: report.turns,
    costUsd: report.costUsd,
    unpricedTokens: report.unpricedTokens,
    title: titleOf(run),
    stuck: stuckFacts(run, { report, episodes, calls }),
    equalCalls: points.map(({ count, remaining }) => ({
      limit: count,
      savedUsd: remaining.costUsd ?? 0,
      savedCalls: remaining.calls,
    })),
    repeated: highest === undefined ? "" : repetition(calls[highest.call]?.call, highest.count),
    spent: spentByTurn(run),
  };
}

/**
 * The facts of a run of Sheepdog with its main loop as the guardian noticed it. The other pages have the same number
 * and the same cost; the recording counts refused calls as well.
 */
export function withNoticedLoop(facts: RunFacts, loops: readonly Loop[]): RunFacts {
  const main = mainLoop(loops);
  if (facts.stuck === null || main === undefined) return facts;
  return {
    ...facts,
    stuck: {
      ...facts.stuck,
      detector: main.detector,
      sentence: capitalized(loopPhrase(main)),
      calls: Math.max(1, main.times - 1),
      costUsd: facts.costUsd === null ? null : toUsd(main.costNanoUsd),
    },
  };
}

function repetition(call: RecordedCall | undefined, count: number): string {
  if (call === undefined) return "";
  return `${callText(described(call), 60)} ${timesText(count)}${count >= MAX_COUNT ? " or more" : ""}`;
}

/** Three equal calls lead to an intervention first, unless the policy is more patient: most runs need one pass only. */
function hasRepeats({ interventions }: RunReport, { detectors }: Policy): boolean {
  const hints = [detectors["doom-loop"], detectors["failing-call"], detectors.cycle, detectors["side-effect-repeat"]];
  const isPatient = hints.some((rungs) => rungs !== undefined && !(rungs.hint && rungs.hint <= 3));
  return interventions.length > 0 || isPatient || Object.keys(detectors).some((name) => name.startsWith("seed-"));
}

function titleOf({ steps, task = "" }: RecordedRun): Sentence {
  const last = steps.at(-1);
  const answer = last === undefined || last.calls.length > 0 ? "" : last.text;
  const title = firstSentence(answer);
  if (title.length > 0) return title;
  const taskSentence = firstSentence(task);
  return taskSentence.length > 0 ? taskSentence : say`A run of ${steps.length} turns`;
}

interface Analyzed extends Pick<RunAnalysis, "report" | "episodes"> {
  readonly calls: readonly PlacedCall[];
}

function stuckFacts(run: RecordedRun, { report, episodes, calls }: Analyzed): StuckFacts | null {
  const { stuck } = report;
  const found = report.interventions.filter(({ detector }) => !isLimit(detector));
  const [first] = found;
  const main = mainEpisode(episodes);
  if (stuck === null || first === undefined || main === undefined) return null;
  const halt = found.find(({ level }) => level === "halt");
  const totalUsd = report.costUsd;
  const mainCalls = main.calls.flatMap((index) => calls[index] ?? []);
  return {
    detector: main.detector,
    sentence: episodeSentence(main, mainCalls),
    calls: stuck.calls,
    costUsd: stuck.costUsd,
    firstHintUsd: totalUsd === null ? null : difference(totalUsd, remainingSpend(run, first).costUsd),
    savedUsd: totalUsd === null ? null : halt === undefined ? 0 : (remainingSpend(run, halt).costUsd ?? 0),
  };
}

/** The episode that went furthest; of equal ones, the one with most repeats. */
function mainEpisode(episodes: readonly FoundEpisode[]): FoundEpisode | undefined {
  const rank = { hint: 1, warn: 2, block: 3, halt: 4 } as const;
  const weight = ({ interventions }: FoundEpisode) => Math.max(...interventions.map(({ level }) => rank[level]));
  return episodes.toSorted((a, b) => weight(b) - weight(a) || b.repeats.length - a.repeats.length)[0];
}

function difference(totalUsd: number, restUsd: number | null): number {
  return Math.max(0, Math.round((totalUsd - (restUsd ?? 0)) * 1e9)) / 1e9;
}

function described({ name, args }: RecordedCall): { readonly tool: string; readonly input: unknown } {
  return { tool: name, input: args };
}

function spentByTurn({ steps }: RecordedRun): RunFacts["spent"] {
  const nanoUsd: number[] = [];
  const calls: number[] = [];
  for (const step of steps) {
    nanoUsd.push((nanoUsd.at(-1) ?? 0) + Math.round((step.usage?.costUsd ?? 0) * 1e9));
    calls.push((calls.at(-1) ?? 0) + step.calls.length);
  }
  return { nanoUsd, calls };
}
