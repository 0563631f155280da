import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { shortNumber } from "./short-number.ts";
import { isUnpriced, type Sum, totalOf } from "./sums.ts";

/** How it is to look. */
export interface Look {
  readonly style: Style;
  readonly width: number;
}

/** What is said of a key beside it, such as the prompt of a session. */
export type Remark = (key: string) => string;

/** Sums as a table with their total at its foot. */
export function sumsTable(
  title: string,
  sums: readonly Sum[],
  { style, width }: Look,
  remark?: Remark,
): readonly string[] {
  const isByTool = sums.every(({ inputTokens }) => inputTokens === undefined);
  const columns: readonly Column[] = [
    { title, align: "left", min: 10, shrinkPriority: 1 },
    ...(remark === undefined
      ? []
      : [{ title: "PROMPT", align: "left", min: 8, shrinkPriority: 2, isOptional: true } as const]),
    { title: "COST", align: "right", min: 6 },
    { title: "REQUESTS", align: "right", min: 8, isOptional: true },
    ...(isByTool
      ? []
      : (["INPUT", "OUTPUT"] as const).map(
          (name) => ({ title: name, align: "right", min: 6, isOptional: true }) as const,
        )),
  ];
  const rowOf = (sum: Sum, isTotal = false) => [
    plainText(sum.key).slice(0, 80),
    ...(remark === undefined ? [] : [isTotal ? "" : plainText(remark(sum.key).slice(0, 400)).slice(0, 80)]),
    costText(sum),
    isByTool && isTotal ? "" : sum.requests.toLocaleString("en-US"), // one request may be for several tools
    ...(isByTool ? [] : [shortNumber(sum.inputTokens ?? 0), shortNumber(sum.outputTokens ?? 0)]),
  ];
  const [head = "", ...rows] = layOut(columns, [...sums.map((sum) => rowOf(sum)), rowOf(totalOf(sums), true)], width);
  return [style.bold(head), ...rows.slice(0, -1), style.bold(rows.at(-1) ?? "")];
}

/** What something cost, with a mark where part of it has no price. */
export function costText(sum: Pick<Sum, "costNanoUsd" | "unpricedTokens">): string {
  if (isUnpriced(sum)) return "?";
  return `${dollars(sum.costNanoUsd / 1e9)}${sum.unpricedTokens > 0 ? " + ?" : ""}`;
}

/** What has to be known to read the numbers. */
export function footnotes(
  { unpricedTokens, uncertainNanoUsd = 0, costNanoUsd }: Sum,
  { width, style }: Look,
): readonly string[] {
  const sentences = [
    ...(costNanoUsd > 0 ? ["By list prices: with a plan or a discount you pay another amount."] : []),
    ...(uncertainNanoUsd > 0
      ? [
          `${dollars(uncertainNanoUsd / 1e9)} of it is uncertain: requests that are under way, or whose process ended before it could tell what they cost.`,
        ]
      : []),
    ...(unpricedTokens > 0
      ? [
          `${shortNumber(unpricedTokens)} tokens have no known price and are not in these sums; [budget.pricing_overrides] gives them one.`,
        ]
      : []),
  ];
  return sentences.flatMap((sentence) => wrap(sentence, width)).map(style.dim);
}
