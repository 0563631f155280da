/**
 * How often the guardian asks for a second opinion in runs that succeeded, and what the answers cost compared with the
 * run itself. By hand, after `npm run build`:
 *
 *     cd bench && npm install && SHEEPDOG_DATA=<folder> node --import tsx detection/questions.ts
 */
import { defaultPolicy, type Policy, type SecondOpinion, type Verdict } from "../../packages/guardian/dist/index.js";
import { analyze, type RecordedRun } from "../../packages/records/dist/index.js";
import { sourceOf, unlabelledRuns } from "./data.ts";
import { groupsOf } from "./groups.ts";
import { figure, table } from "./table.ts";

const CHARS_PER_TOKEN = 4;
/** A verdict and a sentence of advice. */
const ANSWER_TOKENS = 60;
/** Prices relative to a token of input. */
const CACHED_PRICE = 0.1;
const OUTPUT_PRICE = 5;

/** When the guardian asks, and what every answer is; undefined: there is none. */
interface Scenario {
  readonly when: Exclude<SecondOpinion, "off">;
  readonly verdict: Verdict | undefined;
}

const verdicts: readonly (Verdict | undefined)[] = [undefined, "unsure", "working", "stuck"];
const scenarios: readonly Scenario[] = (["before-force", "always"] as const).flatMap((when) =>
  verdicts.map((verdict) => ({ when, verdict })),
);

/** Sums over runs. Costs are in tokens of input. */
interface Sums {
  readonly runs: number;
  readonly calls: number;
  readonly runsWithQuestions: number;
  readonly questions: number;
  readonly briefChars: number;
  readonly questionCost: number;
  readonly runCost: number;
  readonly cachedRunCost: number;
}

const successful = [...unlabelledRuns()].filter(({ outcome }) => outcome === "success");
if (successful.length === 0) console.log("Nothing was measured: there are no successful runs in unlabelled/ here.");
else for (const [group, runs] of [["all", successful] as const, ...groupsOf(successful, sourceOf)]) print(group, runs);

function print(group: string, runs: readonly RecordedRun[]): void {
  const head = ["asked", "answer", "per 1,000 calls", "runs asked about", "chars", "cost", "cost, cached input"];
  const lines = scenarios.map((scenario) => lineOf(scenario, sumsOf(runs, scenario)));
  const calls = runs.reduce((sum, run) => sum + callCount(run), 0);
  console.log(`\n${group}: ${runs.length} successful runs with ${calls} calls\n\n${table([head, ...lines])}`);
}

function lineOf({ when, verdict }: Scenario, sums: Sums): readonly string[] {
  const { runs, calls, runsWithQuestions, questions, briefChars, questionCost, runCost, cachedRunCost } = sums;
  return [
    when,
    verdict ?? "none",
    figure((1_000 * questions) / calls),
    percent(runsWithQuestions / runs),
    figure(questions === 0 ? null : briefChars / questions, 0),
    percent(questionCost / runCost),
    percent(questionCost / cachedRunCost),
  ];
}

function percent(share: number): string {
  return `${figure(100 * share)} %`;
}

function sumsOf(runs: readonly RecordedRun[], scenario: Scenario): Sums {
  let sums: Sums = {
    ...{ runs: 0, calls: 0, runsWithQuestions: 0, questions: 0 },
    ...{ briefChars: 0, questionCost: 0, runCost: 0, cachedRunCost: 0 },
  };
  for (const run of runs) {
    const briefs = briefSizes(run, scenario);
    const briefChars = briefs.reduce((sum, chars) => sum + chars, 0);
    const { plain, cached } = costOf(run);
    sums = {
      runs: sums.runs + 1,
      calls: sums.calls + callCount(run),
      runsWithQuestions: sums.runsWithQuestions + (briefs.length > 0 ? 1 : 0),
      questions: sums.questions + briefs.length,
      briefChars: sums.briefChars + briefChars,
      questionCost: sums.questionCost + briefChars / CHARS_PER_TOKEN + briefs.length * ANSWER_TOKENS * OUTPUT_PRICE,
      runCost: sums.runCost + plain,
      cachedRunCost: sums.cachedRunCost + cached,
    };
  }
  return sums;
}

/** The characters of each question about a run. */
function briefSizes(run: RecordedRun, { when, verdict }: Scenario): readonly number[] {
  const policy: Policy = { ...defaultPolicy, secondOpinion: when };
  const sizes: number[] = [];
  analyze(run, policy, ({ system, prompt }) => {
    sizes.push(system.length + prompt.length);
    return verdict === undefined ? undefined : { verdict };
  });
  return sizes;
}

/**
 * What the requests of the run cost: each sends all text so far. With a cache, text that was sent before costs a tenth.
 * The system prompt, the tools and the messages of users are not recorded, so a real run costs more than this.
 */
function costOf(run: RecordedRun): { readonly plain: number; readonly cached: number } {
  let context = (run.task ?? "").length;
  let alreadySent = 0;
  let plain = 0;
  let cached = 0;
  for (const { text, calls } of run.steps) {
    const output = text.length + calls.reduce((sum, { name, args }) => sum + name.length + charsOf(args), 0);
    plain += context + OUTPUT_PRICE * output;
    cached += CACHED_PRICE * alreadySent + (context - alreadySent) + OUTPUT_PRICE * output;
    alreadySent = context;
    context += output + calls.reduce((sum, { result }) => sum + charsOf(result), 0);
  }
  return { plain: plain / CHARS_PER_TOKEN, cached: cached / CHARS_PER_TOKEN };
}

function charsOf(value: unknown): number {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).length;
}

function callCount({ steps }: RecordedRun): number {
  return steps.reduce((sum, { calls }) => sum + calls.length, 0);
}
