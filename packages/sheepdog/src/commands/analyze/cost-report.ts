import { priceListName, priceListVersion } from "../../compose/price-list-version.ts";
import { write } from "../../io.ts";
import { agentLabel } from "../../look-back/agent-label.ts";
import { groupsBy } from "../../look-back/groups.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { countingTotals, lookBackTotals } from "../../look-back/look-back-totals.ts";
import { programName } from "../../program-name.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { hintLines } from "../../render/terminal/command-lines.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortNumber } from "../../render/terminal/short-number.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { nanoUsdText, usdText } from "../../sentences/amount-text.ts";
import { priceHint, priceHintTitle } from "./price-hint.ts";
import type { Report } from "./report.ts";

/** Numbers are never cut. */
const NUMBER = 99;

const columns: readonly Column[] = [
  { title: "MODEL", align: "left", min: 12, shrinkPriority: 1 },
  { title: "COST", align: "right", min: NUMBER },
  { title: "INPUT", align: "right", min: NUMBER },
  { title: "CACHED", align: "right", min: NUMBER },
  { title: "OUTPUT", align: "right", min: NUMBER },
  { title: "WRITE 5M", align: "right", min: NUMBER, isOptional: true },
  { title: "WRITE 1H", align: "right", min: NUMBER, isOptional: true },
  { title: "REQUESTS", align: "right", min: NUMBER, isOptional: true },
  { title: "RECORDED", align: "right", min: NUMBER, isOptional: true },
  { title: "COMPUTED", align: "right", min: NUMBER, isOptional: true },
];

/** Prints how the money was counted: every model, what was left out and why, and where the prices come from. */
export const costReport: Report = async (lookBack, { io }) => {
  const width = columnsOf(io.stdout, io.env);
  const style = styleFor(io.stdout, io.env);
  const totals = lookBackTotals(lookBack);
  const sentence = (text: string) => wrap(plainText(text), width);
  const [head = "", ...rows] = layOut(columns, usageRows(totals.usage), width);
  const hint = priceHint(totals, programName(io.env));
  const lines = [
    ...sentence(totalText(totals)),
    "",
    style.bold(head),
    ...rows,
    ...sentence("Input is without what was read from the cache or written to it, for 5 minutes or an hour.").map(
      style.dim,
    ),
    "",
    ...agentLines(lookBack).flatMap(sentence),
    ...leftOutLines(lookBack).flatMap(sentence),
    ...(hint === undefined ? [] : [...sentence(hint.sentence).map(style.yellow)]),
    ...(hint?.command === undefined ? [] : hintLines(`${priceHintTitle}: ${hint.command}`, width)),
    ...sentence(sourceText()),
  ];
  await write(io.stdout, `${lines.join("\n")}\n`);
};

type Totals = ReturnType<typeof lookBackTotals>;

function totalText({ costUsd, usage }: Totals): string {
  if (costUsd === null) return "No cost is known: the recordings have none, and no tokens with a listed price.";
  const recorded = usage.reduce((sum, { recordedNanoUsd }) => sum + recordedNanoUsd, 0);
  const computed = usage.reduce((sum, { pricedNanoUsd }) => sum + pricedNanoUsd, 0);
  const parts = [
    recorded > 0 ? `${nanoUsdText(recorded)} as the agents recorded it` : undefined,
    computed > 0 ? `${nanoUsdText(computed)} computed from tokens at list price` : undefined,
  ].filter((part) => part !== undefined);
  return `${usdText(costUsd)} in all${parts.length === 0 ? "" : `: ${parts.join(" and ")}`}.`;
}

function usageRows(usage: Totals["usage"]): readonly (readonly string[])[] {
  return usage
    .toSorted((a, b) => b.pricedNanoUsd + b.recordedNanoUsd - (a.pricedNanoUsd + a.recordedNanoUsd))
    .map((model) => {
      const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens } = model;
      const cost = model.pricedNanoUsd + model.recordedNanoUsd;
      return [
        plainText(model.model),
        cost === 0 && model.unpricedTokens > 0 ? "unknown" : nanoUsdText(cost),
        shortNumber(Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens)),
        shortNumber(cacheReadTokens),
        shortNumber(outputTokens),
        shortNumber(Math.max(0, cacheWriteTokens - cacheWrite1hTokens)),
        shortNumber(cacheWrite1hTokens),
        model.requests.toLocaleString("en-US"),
        nanoUsdText(model.recordedNanoUsd),
        nanoUsdText(model.pricedNanoUsd),
      ];
    });
}

function agentLines(lookBack: LookBack): readonly string[] {
  const groups = groupsBy(lookBack, "agent");
  if (groups.length < 2) return [];
  const parts = groups.map(
    ({ name, nanoUsd, runs }) => `${agentLabel(name)} ${nanoUsdText(nanoUsd)} in ${counted(runs, "run")}`,
  );
  return [`By agent: ${parts.join(", ")}.`];
}

/** What a naive sum would have counted twice, and what no sum can count. */
export function leftOutLines(lookBack: LookBack): readonly string[] {
  const notes = countingTotals(lookBack.runs);
  const line = (count: number, text: string) => (count === 0 ? [] : [`${count.toLocaleString("en-US")} ${text}`]);
  return [
    ...line(notes.repeatedUsage, "lines repeat the usage of a request: each request is counted once."),
    ...line(
      notes.copiedRequests,
      "requests are copies from an earlier session: they were not paid again, and are left out.",
    ),
    ...line(notes.syntheticReplies, "replies were written by the agent itself, without a request: they are left out."),
    ...line(notes.withoutUsage, "replies have no usage in the recording: what they cost is unknown."),
    ...line(
      notes.partialOutput,
      "requests have only the first output tokens of their stream in the recording: their output cost more.",
    ),
    ...line(
      notes.ambiguousResults,
      "results have the id of several calls: each was given to one of them by its place, which may be the wrong one.",
    ),
    ...line(
      notes.rewoundMessages,
      "messages were taken back by the user: they were paid all the same, and are counted.",
    ),
    ...line(
      notes.pricedAsOrdinary,
      "requests were made in a mode without a published price: they are priced as ordinary ones and may cost more.",
    ),
    ...line(
      notes.pricedAsSmall,
      "steps hold the sum of several requests: they are priced without what large requests cost more.",
    ),
  ];
}

/** Where prices come from, and what they mean on a plan. */
export function sourceText(): string {
  const version = priceListVersion();
  const list = `the list of ${priceListName}${version === undefined ? "" : ` ${version}`}`;
  return (
    `Prices: [budget.pricing_overrides] of your configuration, then ${list}, each at the date of its request. ` +
    "If you are on a plan, this is what the tokens would cost without it."
  );
}
