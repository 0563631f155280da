import { counted, dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortNumber } from "../../render/terminal/short-number.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { type OpenRequests, openSentences } from "../../saved-runs/open-requests.ts";
import { isUnpriced, type Sum, totalOf } from "./sums.ts";

/** The format of the output. */
export interface Format {
  readonly style: Style;
  readonly width: number;
}

/** A note beside a key, such as the prompt of a session. */
export type KeyNote = (key: string) => string;

/** The sums as a table, with the total in the last row. */
export function sumsTable(
  title: string,
  sums: readonly Sum[],
  { style, width }: Format,
  note?: KeyNote,
): readonly string[] {
  const isByTool = sums.every(({ inputTokens }) => inputTokens === undefined);
  const columns: readonly Column[] = [
    { title, align: "left", min: 10, shrinkPriority: 1 },
    ...(note === undefined
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
    ...(note === undefined ? [] : [isTotal ? "" : plainText(note(sum.key).slice(0, 400)).slice(0, 80)]),
    costText(sum),
    isByTool && isTotal ? "" : sum.requests.toLocaleString("en-US"), // a request may call several tools
    ...(isByTool ? [] : [shortNumber(sum.inputTokens ?? 0), shortNumber(sum.outputTokens ?? 0)]),
  ];
  const [head = "", ...rows] = layOut(columns, [...sums.map((sum) => rowOf(sum)), rowOf(totalOf(sums), true)], width);
  return [style.bold(head), ...rows.slice(0, -1), style.bold(rows.at(-1) ?? "")];
}

/** A cost, marked with `?` if part of it has no price, and with `~` if part of its usage is estimated. */
export function costText(sum: Pick<Sum, "costNanoUsd" | "unpricedTokens" | "estimatedRequests">): string {
  if (isUnpriced(sum)) return "?";
  const sign = (sum.estimatedRequests ?? 0) > 0 && sum.costNanoUsd > 0 ? "~" : "";
  return `${sign}${dollars(sum.costNanoUsd / 1e9)}${sum.unpricedTokens > 0 ? " + ?" : ""}`;
}

/** Sentences that explain the numbers. */
export function footnotes(
  { unpricedTokens, uncertainNanoUsd = 0, estimatedRequests = 0, costNanoUsd }: Sum,
  open: OpenRequests,
  { width, style }: Format,
): readonly string[] {
  const sentences = [
    ...(costNanoUsd > 0 ? ["These are list prices; with a plan or a discount you pay a different amount."] : []),
    ...(uncertainNanoUsd > 0
      ? [[`${dollars(uncertainNanoUsd / 1e9)} of it is uncertain.`, ...openSentences(open)].join(" ")]
      : []),
    ...(estimatedRequests > 0
      ? [`~ The provider did not report the tokens of ${counted(estimatedRequests, "request")}; they are estimated.`]
      : []),
    ...(unpricedTokens > 0
      ? [
          `${shortNumber(unpricedTokens)} tokens have no known price and are not included. ` +
            "Set prices in [budget.pricing_overrides].",
        ]
      : []),
  ];
  return sentences.flatMap((sentence) => wrap(sentence, width)).map(style.dim);
}
