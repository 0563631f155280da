import { useState } from "preact/hooks";
import { Link } from "../../app/router.tsx";
import type { CommandResult } from "../../contract/index.ts";
import { CommandNote } from "../../parts/command-note.tsx";
import { Icon } from "../../parts/icon.tsx";
import { LimitDialog } from "./limit-dialog.tsx";
import { type Limit, limitAmount, raiseTarget } from "./limit-words.ts";

interface LimitTableProps {
  readonly limits: readonly Limit[];
  readonly onChanged: () => void;
}

const SHORT_ID = 12;

/** The limits in force, where each was set, and a way to raise it. */
export function LimitTable({ limits, onChanged }: LimitTableProps) {
  const [asked, setAsked] = useState<Limit | "new" | undefined>(undefined);
  const [answer, setAnswer] = useState<{ readonly key: string; readonly result: CommandResult } | undefined>(undefined);
  const inForce = limits.filter(({ stop }) => stop !== null);
  const hasMoneyLimit = inForce.some(({ unit }) => unit === "usd");
  const add = () => setAsked("new");
  return (
    <section class="panel" aria-labelledby="limits">
      <div class="phead">
        <h2 id="limits">Limits</h2>
        <p class="grow">they hold in every mode</p>
        <button type="button" class="btn small" onClick={add}>
          Add limit
        </button>
      </div>
      {!hasMoneyLimit && (
        <p class="pad">
          No limit is set. A run can spend until its turns or its time end.{" "}
          <button type="button" class="link plain" onClick={add}>
            Set one.
          </button>
        </p>
      )}
      {answer?.key === "new" && (
        <p class="pad">
          <CommandNote result={answer.result} />
        </p>
      )}
      {inForce.length > 0 && (
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">Of</th>
              <th scope="col">Warns</th>
              <th scope="col">Stops</th>
              <th scope="col" class="wide">
                Set in
              </th>
              <th scope="col">
                <span class="vh">Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {inForce.map((limit) => (
              <LimitRows
                key={keyOf(limit)}
                limit={limit}
                result={answer?.key === keyOf(limit) ? answer.result : undefined}
                onRaise={() => setAsked(limit)}
              />
            ))}
          </tbody>
        </table>
      )}
      {asked !== undefined && (
        <LimitDialog
          limit={asked === "new" ? undefined : asked}
          limits={limits}
          onClose={() => setAsked(undefined)}
          onDone={(result) => {
            setAnswer({ key: asked === "new" ? "new" : keyOf(asked), result });
            setAsked(undefined);
            onChanged();
          }}
        />
      )}
    </section>
  );
}

interface LimitRowsProps {
  readonly limit: Limit;
  readonly result: CommandResult | undefined;
  readonly onRaise: () => void;
}

function LimitRows({ limit, result, onRaise }: LimitRowsProps) {
  const { name, warn, stop, unit, spent, origin, runId } = limit;
  return (
    <>
      <tr>
        <td>
          {runId === null ? (
            name
          ) : (
            <Link class="link" href={`/runs/${encodeURIComponent(runId)}`}>
              {name}
            </Link>
          )}
          {runId !== null && (
            <small class="faint under-name">
              <code>{runId.slice(0, SHORT_ID)}</code>
              {spent !== null && ` ${limitAmount(spent, unit)} so far`}
            </small>
          )}
        </td>
        <td class="num muted">{limitAmount(warn, unit)}</td>
        <td class="num">{limitAmount(stop, unit)}</td>
        <td class="faint wide">{origin}</td>
        <td class="r">
          {raiseTarget(limit) !== undefined && (
            <button type="button" class="btn small" aria-label={`Raise: ${name}`} onClick={onRaise}>
              <Icon name="raise" />
              Raise
            </button>
          )}
        </td>
      </tr>
      {result !== undefined && (
        <tr class="answer">
          <td colSpan={5}>
            <CommandNote result={result} />
          </td>
        </tr>
      )}
    </>
  );
}

function keyOf({ scope, runId, name }: Limit): string {
  return `${scope} ${runId ?? ""} ${name}`;
}
