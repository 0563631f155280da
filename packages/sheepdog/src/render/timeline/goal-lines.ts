import type { GoalItem, VerdictItem } from "@sheepdog/agent/timeline";
import { dollars } from "../terminal/amounts.ts";
import { percent } from "../terminal/percent.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { ItemLineOptions } from "./item-line-options.ts";
import { plainLines } from "./plain-lines.ts";

/** One line with the verdict and its reason; with `verbose` also the model and the cost. */
export function verdictLines(item: VerdictItem, { style, width, verbose = false }: ItemLineOptions): string[] {
  const lines = [verdictText(item), ...(verbose ? verdictDetails(item) : [])];
  const paint = item.problem === undefined ? style.dim : style.yellow;
  return lines.flatMap((line) => plainLines(line, width - 2)).map((line) => `  ${paint(line)}`);
}

/** `judge: retry, "Name the file."` */
export function verdictText({ verdict, reason, problem }: VerdictItem): string {
  const explained = problem === undefined ? verdict : `${verdict} (${plainText(problem).replace(/\.$/, "")})`;
  return `judge: ${explained}${reason === undefined ? "" : `, "${plainText(reason)}"`}`;
}

function verdictDetails({ model, costNanoUsd }: VerdictItem): readonly string[] {
  if (model === undefined) return ["  decided by rules"];
  if (costNanoUsd === undefined) return [`  judged by ${plainText(model)}`];
  return [`  judged by ${plainText(model)}, ${costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9)}`];
}

/** With `verbose`, how far the goal is reached. */
export function goalLines(item: GoalItem, { style, width, verbose = false }: ItemLineOptions): string[] {
  if (!verbose) return [];
  return plainLines(goalText(item), width - 2).map((line) => `  ${style.dim(line)}`);
}

/** `goal: 66 % reached, 100 % needed; met: …; not met: …; violated: …` */
function goalText({ score, threshold, criteria, constraints }: GoalItem): string {
  const list = (label: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : [`${label}: ${texts.map(plainText).join(", ")}`];
  const criteriaWith = (isMet: boolean | null) =>
    criteria.filter((criterion) => criterion.isMet === isMet).map(({ text }) => text);
  const constraintsWith = (isRespected: boolean | null) =>
    constraints
      .filter((constraint) => constraint.isRespected === isRespected)
      .map(({ text, level }) => `${text} (${level})`);
  return [
    `goal: ${percent(score, 1)} reached, ${percent(threshold, 1)} needed`,
    ...list("met", criteriaWith(true)),
    ...list("not met", criteriaWith(false)),
    ...list("respected", constraintsWith(true)),
    ...list("violated", constraintsWith(false)),
    ...list("not decided", [...criteriaWith(null), ...constraintsWith(null)]),
  ].join("; ");
}
