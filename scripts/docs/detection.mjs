// The tables of docs/detection.md, from the results of the benchmark.
import { table, wrap } from "./markdown.mjs";
import { read } from "./part.mjs";

const results = JSON.parse(read("bench/results/detection.json"));

const isMissing = (value) => value === null || value === undefined;
const figure = (value) => (isMissing(value) ? "–" : value.toFixed(2));
const percent = (value) => (isMissing(value) ? "–" : `${(100 * value).toFixed(1)} %`);

const first = ["precision", "recall", "F1", "margin F1"];
const firstCells = ({ precision, recall, f1, marginF1 }) => [precision, recall, f1, marginF1].map(figure);
const force = ["hints on clean", "force on clean", "force before onset"];
const forceCells = (score) => [score.hintsOnClean, score.forceOnClean, score.forceBeforeOnset].map(percent);
const all = [...first, "caught", "waste avoided", "median latency", ...force];
const allCells = (score) => [
  ...firstCells(score),
  figure(score.caught),
  figure(score.wasteAvoided),
  score.latency ?? "–",
  ...forceCells(score),
];

/** The generated parts by name. */
export const detectionParts = {
  systems: [
    wrap(
      `${results.coverage.withRun} of ${results.coverage.labels} labels have a run: ${results.runs.stuck} stuck, ` +
        `${results.runs.clean} clean, the others unclear and left out. Node ${results.node}.`,
    ),
    table(
      ["system", ...all],
      results.systems.map(({ name, score }) => [name, ...allCells(score)]),
    ),
    wrap(results.agreements.map(agreement).join(" ")),
  ].join("\n\n"),
  development: table(
    ["sources", "system", "runs", ...first, ...force],
    results.development.flatMap(({ sources, guardian, bestOther }) =>
      [guardian, bestOther].map(({ name, score }) => [
        sources,
        name,
        score.runs,
        ...firstCells(score),
        ...forceCells(score),
      ]),
    ),
  ),
  folds: table(
    ["system", ...first, "waste avoided", ...force, "chosen"],
    results.leaveOneSourceOut.map((fold) => [
      fold.name,
      ...firstCells(fold.score),
      figure(fold.score.wasteAvoided),
      ...forceCells(fold.score),
      chosen(fold),
    ]),
  ),
  sources: [
    table(
      ["source", "stuck", "clean", ...first, "caught", ...force, "best other rule, F1"],
      [...results.guardian.bySource]
        .sort((a, b) => (a.score.f1 ?? 0) - (b.score.f1 ?? 0))
        .map(({ name, score }) => [
          name,
          ...labelCounts(name),
          ...firstCells(score),
          figure(score.caught),
          ...forceCells(score),
          bestOther(name),
        ]),
    ),
    "Stuck runs by kind:",
    table(
      ["kind", "runs", "recall", "caught", "waste avoided", "median latency"],
      [...results.guardian.byKind]
        .sort((a, b) => a.score.recall - b.score.recall)
        .map(({ name, score }) => [
          name,
          score.runs,
          figure(score.recall),
          figure(score.caught),
          figure(score.wasteAvoided),
          score.latency ?? "–",
        ]),
    ),
    wrap(textSentence(results.guardian.text)),
  ].join("\n\n"),
  ablations: table(
    ["without", "F1", "difference", "signals changed", "result changed"],
    results.ablations.map(({ without, f1, difference, told, moved }) => [
      without,
      f1.toFixed(3),
      difference.toFixed(3).replace("-", "−"),
      told,
      moved,
    ]),
  ),
  unlabelled: unlabelledPart(results.unlabelled),
};

function agreement({ code, rule, runs, disagreements, note }) {
  if (runs === null) return `${code} was not run: ${note}.`;
  return `${code} itself and the rule “${rule}” agree on ${runs - disagreements} of ${runs} runs.`;
}

/** Each chosen setting with the number of sources it was chosen for. */
function chosen({ settings, chosen }) {
  if (settings < 2) return "no choice";
  const names = [...new Set(chosen.map(({ setting }) => setting))];
  return names.map((name) => `${name} (${chosen.filter(({ setting }) => setting === name).length})`).join(", ");
}

function labelCounts(source) {
  const { stuck, clean } = results.coverage.bySource.find((each) => each.source === source);
  return [stuck, clean];
}

function bestOther(source) {
  const [, ...rules] = results.systems;
  const others = rules.filter(({ f1BySource }) => f1BySource[source] > 0);
  const [best] = others.sort((a, b) => b.f1BySource[source] - a.f1BySource[source]);
  return best === undefined ? "none above 0" : `${best.name}, ${figure(best.f1BySource[source])}`;
}

function textSentence({ stuck, clean, callsOnly }) {
  return (
    "No label is about repeated text, so nothing says whether the detectors `chant` and `monologue` are right. " +
    `They intervened in ${stuck} stuck and ${clean} clean runs; without them F1 is ${callsOnly.f1.toFixed(3)}.`
  );
}

function unlabelledPart(unlabelled) {
  if (unlabelled === null) return "The unlabelled runs were not measured.";
  return [
    table(
      ["runs", "number", "with an intervention", "share"],
      unlabelled.byOutcome.map(({ group, runs, intervened }) => [group, runs, intervened, percent(intervened / runs)]),
    ),
    "Interventions for each 1,000 calls of the successful runs, by level; a halt is the last in its run:",
    table(
      ["source", "runs", "calls", "hint", "warn", "block", "halt"],
      unlabelled.ratesOnSuccess.map(({ group, runs, calls, per1000Calls }) => [
        group,
        runs,
        calls,
        ...["hint", "warn", "block", "halt"].map((level) => figure(per1000Calls?.[level])),
      ]),
    ),
  ].join("\n\n");
}
