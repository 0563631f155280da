import type { ModelUsage } from "@sheepdog/records";
import type { LookBack } from "../../../look-back/look-back.ts";
import type { LookBackTotals } from "../../../look-back/look-back-totals.ts";
import { shortNumber } from "../../../render/terminal/short-number.ts";
import { nanoUsdText } from "../../../sentences/amount-text.ts";
import { leftOutLines, sourceText } from "../cost-report.ts";
import { type Html, html } from "./html.ts";

import { nameText } from "./name-text.ts";

/** How the money was computed: the tokens of each model, what has no price, and what was left out. */
export function moneySection(lookBack: LookBack, { usage }: LookBackTotals): Html {
  const models = usage.toSorted((a, b) => costOf(b) - costOf(a) || b.unpricedTokens - a.unpricedTokens);
  const left = [...leftOutLines(lookBack), sourceText()];
  const columns = ["Requests", "Input", "of it from the cache", "written to it", "Output", "Recorded", "At list price"];
  const table = html`
    <div class="scroll-x" tabindex="0" role="region" aria-label="Tokens and cost by model">
      <table class="tbl">
        <thead>
          <tr><th scope="col">Model</th>${columns.map((column) => html`<th scope="col" class="r">${column}</th>`)}</tr>
        </thead>
        <tbody>${models.map(modelRow)}</tbody>
      </table>
    </div>
  `;
  return html`
    <section class="panel" id="money">
      <div class="phead"><h2>How the money was counted</h2></div>
      <ul class="notes">${rules}${left.map((sentence) => html`<li>${sentence}</li>`)}</ul>
      ${models.length === 0 ? html`<p class="pad">No recording says how many tokens were used.</p>` : table}
    </section>
  `;
}

const rules = html`
  <li>
    A cost that the agent recorded is taken as it is. Otherwise the tokens are multiplied by the${" "}
    <b>list price</b>${" "}of their model, cached ones at their own price.
  </li>
  <li>Each model request is counted once, with its final numbers, also where a recording repeats it.</li>
  <li>
    A call has its share of the cost of its turn.${" "}
    <b>In circles</b>${" "}is the cost of the calls that repeat an earlier one without progress, with the subagents
    that they started.
  </li>
  <li>
    What an end would have saved is what the recording shows after it, without subagents. It is${" "}
    <b>hypothetical</b>: from the first refusal on, the run would have taken another course.
  </li>
`;

function costOf({ pricedNanoUsd, recordedNanoUsd }: ModelUsage): number {
  return pricedNanoUsd + recordedNanoUsd;
}

function modelRow(usage: ModelUsage): Html {
  const tokens = [usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens, usage.outputTokens];
  const cell = (amount: Html) => html`<td class="r num">${amount}</td>`;
  const money = (nanoUsd: number) => (nanoUsd === 0 ? dash : html`${nanoUsdText(nanoUsd)}`);
  const { unpricedTokens } = usage;
  const unpriced =
    unpricedTokens === 0
      ? undefined
      : html`<small class="unpriced">${shortNumber(unpricedTokens)} tokens without a price</small>`;
  return html`
    <tr>
      <td><bdi>${nameText(usage.model)}</bdi></td>
      <td class="r num">${usage.requests.toLocaleString("en-US")}</td>
      ${tokens.map((amount) => cell(amount === 0 ? dash : html`${shortNumber(amount)}`))}
      ${cell(money(usage.recordedNanoUsd))}
      ${cell(html`${money(usage.pricedNanoUsd)}${unpriced}`)}
    </tr>
  `;
}

const dash = html`<span class="faint">–</span>`;
