// The tables of docs/detection.md, from the results of the benchmark.
import { table, wrap } from "./markdown.mjs";
import { read } from "./part.mjs";

const results = JSON.parse(read("bench/results/detection.json"));

const two = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const scores = ["precision", "recall", "F1", "waste avoided", "median latency", "alarms in clean runs", "before onset"];
const scored = ({ precision, recall, f1, wasteAvoided, latency, falseAlarms, early }) => [
  two(precision),
  two(recall),
  two(f1),
  two(wasteAvoided),
  latency ?? "–",
  falseAlarms,
  early,
];

/** The generated parts by name. */
export const detectionParts = {
  systems: [
    `${results.runs.stuck} stuck and ${results.runs.clean} clean runs, Node ${results.node}.`,
    table(
      ["system", ...scores],
      results.systems.map(({ system, score }) => [system, ...scored(score)]),
    ),
    "The guardian by source:",
    table(
      ["source", "runs", ...scores],
      results.guardian.bySource.map(({ system, score }) => [system, score.runs, ...scored(score)]),
    ),
    wrap(
      results.agreements
        .map(
          ({ code, rule, runs, disagreements }) =>
            `${code} itself and the rule “${rule}” agree on ${runs - disagreements} of ${runs} runs.`,
        )
        .join(" "),
    ),
  ].join("\n\n"),
  folds: table(
    ["system", "precision", "recall", "F1"],
    results.leaveOneSourceOut.map(({ system, score }) => [
      system,
      two(score.precision),
      two(score.recall),
      two(score.f1),
    ]),
  ),
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
  unlabelled: table(
    ["runs", "number", "with an intervention", "share"],
    results.unlabelled.byOutcome.map(({ group, runs, intervened }) => [
      group,
      runs,
      intervened,
      `${((100 * intervened) / runs).toFixed(1)} %`,
    ]),
  ),
};
