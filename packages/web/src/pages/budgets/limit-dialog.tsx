import { useState } from "preact/hooks";
import { post } from "../../api/client.ts";
import type { CommandResult } from "../../contract/index.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogForm } from "../../parts/dialog-form.tsx";
import { useCommand } from "../../parts/use-command.ts";
import {
  type Limit,
  limitAmount,
  type MoneyScope,
  moneyScopes,
  type RaiseTarget,
  raiseTarget,
  suggestedRaise,
  unitWords,
} from "./limit-words.ts";
import { NumberField } from "./number-field.tsx";
import { readAmount } from "./read-amount.ts";

interface LimitDialogProps {
  /** The limit to raise; undefined to add one. */
  readonly limit: Limit | undefined;
  readonly limits: readonly Limit[];
  readonly onClose: () => void;
  readonly onDone: (result: CommandResult) => void;
}

/** Asks for a new value of a limit, or for a limit that is not set yet. */
export function LimitDialog({ limit, limits, onClose, onDone }: LimitDialogProps) {
  const free = freeScopes(limits);
  const [scope, setScope] = useState<MoneyScope>(free[0] ?? "run");
  const [text, setText] = useState(limit?.stop == null ? "" : String(suggestedRaise(limit.stop)));
  const { isSending, result, send } = useCommand();
  const target: RaiseTarget | undefined = limit === undefined ? { type: "budget", scope } : raiseTarget(limit);
  const amount = readAmount(text);
  const unit = limit?.unit ?? "usd";
  const submit = async () => {
    if (amount === undefined || target === undefined) return;
    const outcome = await send(() => sendLimit(target, amount));
    if (outcome?.isDone === true) onDone(outcome);
  };
  return (
    <Dialog title={limit === undefined ? "Add limit" : `Raise the limit: ${limit.name}`} onClose={onClose}>
      <DialogForm
        onSubmit={submit}
        onClose={onClose}
        canSubmit={!isSending && amount !== undefined}
        result={result}
        action={submitWord(limit, amount)}
      >
        <p class="muted">{explanation(limit)}</p>
        {limit === undefined && (
          <label>
            Of
            <select
              class="field"
              value={scope}
              onChange={(event) => setScope(moneyScopes.find((each) => each === event.currentTarget.value) ?? "run")}
            >
              {free.map((each) => (
                <option value={each}>{scopeNames[each]}</option>
              ))}
            </select>
          </label>
        )}
        <NumberField
          label="Stops at"
          value={text}
          onInput={setText}
          before={unit === "usd" ? "$" : undefined}
          after={unit === "usd" ? undefined : unitWords[unit]}
          isFirst
        />
        {amount === 0 && <p class="muted">0 removes the limit.</p>}
      </DialogForm>
    </Dialog>
  );
}

/** The scopes that have no limit yet; all of them if each has one. */
function freeScopes(limits: readonly Limit[]): readonly MoneyScope[] {
  const isSet = (scope: MoneyScope) =>
    limits.some(
      (limit) => limit.scope === scope && limit.unit === "usd" && limit.runId === null && limit.stop !== null,
    );
  const free = moneyScopes.filter((scope) => !isSet(scope));
  return free.length === 0 ? moneyScopes : free;
}

const scopeNames = {
  month: "Month, over all runs",
  day: "Day, over all runs",
  session: "Session, over its runs",
  run: "Run",
} as const satisfies Record<MoneyScope, string>;

function explanation(limit: Limit | undefined): string {
  if (limit === undefined)
    return "Runs that start after this keep to it. Runs that are already running keep their limits.";
  const now = `It stops at ${limitAmount(limit.stop, limit.unit)} (${limit.origin}).`;
  if (limit.runId !== null) return `${now} The new limit holds for this run only.`;
  return `${now} The new limit is written into your configuration.`;
}

function submitWord(limit: Limit | undefined, amount: number | undefined): string {
  if (amount === 0) return "Remove the limit";
  if (limit === undefined) return "Add limit";
  return limit.stop !== null && amount !== undefined && amount < limit.stop ? "Lower" : "Raise";
}

function sendLimit(target: RaiseTarget, stop: number): Promise<CommandResult> {
  if (target.type === "budget") return post("setBudget", { scope: target.scope, usd: stop });
  return post("command", { type: "limit", limit: target.limit, stop }, { params: { id: target.runId } });
}
