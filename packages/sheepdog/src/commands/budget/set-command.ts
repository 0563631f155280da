import { type BudgetScope, budgetKeys } from "../../config/money-limits.ts";
import { setBudget } from "../../config/set-budget.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { readMoney } from "../read-amount.ts";

/** Money is configured in cents and counted in nano-dollars. */
const NANO_USD_PER_CENT = 10_000_000;

/** Sets or removes a budget in the user's configuration. */
export async function setCommand(scope: string, amount: string, io: Io): Promise<number> {
  const refuse = async (problems: readonly string[]) => {
    for (const problem of problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  };
  if (!isBudgetScope(scope))
    return refuse([`"${scope}" has no budget; it must be ${Object.keys(budgetKeys).join(", ")}`]);
  const money = amount === "off" ? ({ ok: true, value: 0 } as const) : readMoney(amount);
  if (!money.ok) return refuse([`${money.problem}; off removes the limit`]);
  const result = await setBudget(scope, money.value / NANO_USD_PER_CENT, { ...io, home: resolveHome(io.env) });
  if (!result.ok) return refuse(result.problems);
  await write(io.stdout, `${result.text}\n`);
  for (const note of result.notes) await writeMessage(io, plainText(note));
  return exitCode.done;
}

function isBudgetScope(text: string): text is BudgetScope {
  return Object.hasOwn(budgetKeys, text);
}
