import type { CommandResult, setBudgetSchema, setPriceSchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import { type SettingResult, setBudget } from "../../config/set-budget.ts";
import { setPrice } from "../../config/set-price.ts";
import { usdToCents } from "../../config/usd-to-cents.ts";
import { moneyProblem } from "../../run-commands/limit-amount.ts";
import type { ViewContext } from "../view-context.ts";

/** Changes a budget in the user's configuration. */
export async function changeBudget(
  context: ViewContext,
  { scope, usd }: z.infer<typeof setBudgetSchema>,
): Promise<CommandResult> {
  const problem = moneyProblem(usd);
  if (problem !== undefined) return { isDone: false, text: `Nothing was changed: ${problem}`, runId: null };
  return settingResult(await setBudget(scope, usdToCents(usd), context));
}

/** Sets the price of a model in the user's configuration. */
export async function changePrice(context: ViewContext, price: z.infer<typeof setPriceSchema>): Promise<CommandResult> {
  const isLost = [price.inputUsd, price.outputUsd].some((usd) => usd !== 0 && usdToCents(usd) === 0);
  if (isLost) return { isDone: false, text: "Nothing was changed: a price is too small to be written.", runId: null };
  return settingResult(await setPrice(price, context));
}

function settingResult(result: SettingResult): CommandResult {
  if (!result.ok) return { isDone: false, text: `Nothing was changed: ${result.problems.join("; ")}.`, runId: null };
  const notes = result.notes.map((note) => ` But ${note}.`).join("");
  return { isDone: true, text: `${result.text}${notes}`, runId: null };
}
