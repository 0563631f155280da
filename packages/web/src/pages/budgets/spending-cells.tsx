import type { Budgets } from "../../contract/index.ts";
import { counted, usd } from "../../format/amounts.ts";
import { Meter } from "../../parts/meter.tsx";

/** Four cells: today, this month, a run, and what is reserved for requests on their way. */
export function SpendingCells({ budgets }: { readonly budgets: Budgets }) {
  const { today, month, perRun, reserved, unconfirmedUsd } = budgets;
  return (
    <section class="panel tiles" aria-label="Spent against limits">
      <Spent name="Today" spent={today} />
      <Spent name={month.name} spent={month} />
      <div>
        <h2>Per run</h2>
        <p class="big">
          {perRun.limitUsd === null ? "No limit" : usd(perRun.limitUsd)}{" "}
          {perRun.limitUsd !== null && <small>unless set otherwise</small>}
        </p>
        <p>{perRun.note}</p>
      </div>
      <div>
        <h2>Reserved now</h2>
        <p class="big">
          {usd(reserved.usd)} <small>{counted(reserved.requests, "request")}</small>
        </p>
        <p>Set aside before a request is sent and settled after it, so that two runs cannot overspend.</p>
        {unconfirmedUsd > 0 && (
          <p>{usd(unconfirmedUsd)} is unconfirmed: a process ended before the cost of its request was known.</p>
        )}
      </div>
    </section>
  );
}

function Spent({ name, spent }: { readonly name: string; readonly spent: Budgets["today"] }) {
  const { spentUsd, limitUsd, warnUsd, note } = spent;
  return (
    <div>
      <h2>{name}</h2>
      <p class="big">
        {usd(spentUsd)} <small>{limitUsd === null ? "no limit" : `of ${usd(limitUsd)}`}</small>
      </p>
      {limitUsd !== null && <Meter value={spentUsd} limit={limitUsd} warn={warnUsd} />}
      <p>{note}</p>
    </div>
  );
}
