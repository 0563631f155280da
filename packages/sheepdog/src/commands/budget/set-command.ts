import { loadConfig } from "../../config/load-config.ts";
import { describeOrigin } from "../../config/origin.ts";
import { setValues } from "../../config/set-value.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { readMoney } from "../read-amount.ts";
import { type BudgetScope, budgetKeys, configuredCents } from "./money-limits.ts";

/** Money is configured in cents and counted in nano-dollars. */
const NANO_USD_PER_CENT = 10_000_000;

/** A lower limit moves a warning that would come after it: the warning is then at this share of the limit. */
const warningKey = "budget.warning_threshold_cents";
const warningShare = 0.8;

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
  const key = budgetKeys[scope];
  const { configFile } = resolveHome(io.env);
  const cents = money.value / NANO_USD_PER_CENT;
  const warningCents = cents * warningShare;
  let result = await setValues(configFile, { [key]: cents }, io.env);
  const isWarningMoved = !result.ok && result.problems.some((problem) => problem.includes(warningKey));
  if (isWarningMoved) result = await setValues(configFile, { [key]: cents, [warningKey]: warningCents }, io.env);
  if (!result.ok) return refuse(result.problems);
  const limit = cents === 0 ? "off" : dollars(cents / 100);
  const warning = isWarningMoved ? `, with a warning at ${dollars(warningCents / 100)}` : "";
  await write(
    io.stdout,
    `The ${scope} budget is now ${limit}${warning} (${configFile}). Runs that are already running keep their limits.\n`,
  );
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home: resolveHome(io.env) });
  if (!loaded.ok) return refuse(loaded.problems);
  const effectiveCents = configuredCents(loaded.config, scope);
  if (effectiveCents !== cents) {
    const effective = effectiveCents === 0 ? "off" : dollars(effectiveCents / 100);
    const origin = describeOrigin(loaded.origins.get(key) ?? "default");
    await writeMessage(io, plainText(`in this folder the ${scope} budget is still ${effective}, set in ${origin}`));
  }
  return exitCode.done;
}

function isBudgetScope(text: string): text is BudgetScope {
  return Object.hasOwn(budgetKeys, text);
}
