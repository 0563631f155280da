import { useState } from "preact/hooks";
import type { Budgets, CommandResult } from "../../contract/index.ts";
import { counted, shortNumber, usd } from "../../format/amounts.ts";
import { CommandNote } from "../../parts/command-note.tsx";
import { LevelMark } from "../../parts/level-mark.tsx";
import { totalUsd } from "./day-bars.ts";
import { PriceDialog } from "./price-dialog.tsx";
import { SplitBar } from "./split-bar.tsx";

type Model = Budgets["models"][number];

interface ModelTableProps {
  readonly budgets: Budgets;
  readonly onChanged: () => void;
}

/** What each model cost, and its price. A model without a price can get one here. */
export function ModelTable({ budgets: { models, purposes }, onChanged }: ModelTableProps) {
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const [answer, setAnswer] = useState<CommandResult | undefined>(undefined);
  const mostUsd = Math.max(0, ...models.map(totalUsd));
  const unpriced = models.filter(({ inputUsd }) => inputUsd === null).length;
  return (
    <section class="panel" aria-labelledby="by-model">
      <div class="phead">
        <h2 id="by-model">By model</h2>
        {unpriced > 0 && <p>{counted(unpriced, "model")} without a price</p>}
      </div>
      {models.length === 0 && <p class="muted pad">No model was used in this time.</p>}
      {models.length > 0 && (
        <table class="tbl bars">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Spent</th>
              <th scope="col" class="r">
                Per million tokens
              </th>
            </tr>
          </thead>
          <tbody>
            {models.map((model) => (
              <tr key={model.model}>
                <td class="name">{model.model}</td>
                <td>
                  {(totalUsd(model) > 0 || model.unpricedTokens === 0) && <SplitBar {...model} mostUsd={mostUsd} />}
                  <UnpricedTokens model={model} />
                </td>
                <td class="r">
                  <Price model={model} onSet={() => setAsked(model.model)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Purposes purposes={purposes} />
      {answer !== undefined && (
        <p class="pad">
          <CommandNote result={answer} />
        </p>
      )}
      {asked !== undefined && (
        <PriceDialog
          model={asked}
          onClose={() => setAsked(undefined)}
          onDone={(result) => {
            setAsked(undefined);
            setAnswer(result);
            onChanged();
          }}
        />
      )}
    </section>
  );
}

function UnpricedTokens({ model: { unpricedTokens } }: { readonly model: Model }) {
  if (unpricedTokens === 0) return null;
  return <LevelMark level="warn" text={`${shortNumber(unpricedTokens)} tokens, price not known`} />;
}

function Price({ model, onSet }: { readonly model: Model; readonly onSet: () => void }) {
  const { inputUsd, outputUsd } = model;
  if (model.model === "demo") return <span class="faint">costs nothing</span>;
  if (inputUsd === null || outputUsd === null) {
    return (
      <button type="button" class="btn small" aria-label={`Set price of ${model.model}`} onClick={onSet}>
        Set price
      </button>
    );
  }
  return (
    <span class="prices">
      <span class="num">{price(inputUsd)} in,</span> <span class="num">{price(outputUsd)} out</span>
    </span>
  );
}

/** What else the money was for, if anything but turns cost something. */
function Purposes({ purposes }: { readonly purposes: Budgets["purposes"] }) {
  const paid = purposes.filter(({ usd: amount }) => amount > 0);
  if (paid.length < 2) return null;
  return (
    <p class="purposes">
      {paid.map(({ purpose, usd: amount }) => (
        <span key={purpose}>
          {purposeWords[purpose] ?? purpose} <b class="num">{usd(amount)}</b>
        </span>
      ))}
    </p>
  );
}

const purposeWords: Readonly<Record<string, string>> = {
  turn: "Turns",
  summary: "Summaries",
  memory: "Memory",
  opinion: "Second opinions",
  gate: "Gate",
  judge: "Judge",
  plan: "Plans",
};

/** Prices are short where they can be: "$3", "$1.25". */
function price(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : `$${Number(amount.toPrecision(4)).toFixed(2)}`;
}
