import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { dollars } from "../render/terminal/amounts.ts";
import { loadConfig } from "./load-config.ts";
import { type BudgetScope, budgetKeys, configuredCents } from "./money-limits.ts";
import { describeOrigin } from "./origin.ts";
import { setValues } from "./set-value.ts";
import { usdToCents } from "./usd-to-cents.ts";

/** Where a setting is written, and the folder whose configuration is checked afterwards. */
export interface SetContext extends Pick<Io, "env" | "cwd"> {
  readonly home: Home;
}

/** What was changed, as a sentence, and notes about what overrides it; or why nothing was changed. */
export type SettingResult =
  | { readonly ok: true; readonly text: string; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A lower limit moves a warning that would come after it: the warning is then at this share of the limit. */
const warningKey = "budget.warning_threshold_cents";
const warningShare = 0.8;

/** Sets a budget in the user's configuration; 0 removes it. */
export async function setBudget(scope: BudgetScope, cents: number, context: SetContext): Promise<SettingResult> {
  const { env, cwd, home } = context;
  const key = budgetKeys[scope];
  const warningCents = usdToCents((cents * warningShare) / 100);
  let result = await setValues(home.configFile, { [key]: cents }, env);
  const isWarningMoved = !result.ok && result.problems.some((problem) => problem.includes(warningKey));
  if (isWarningMoved) result = await setValues(home.configFile, { [key]: cents, [warningKey]: warningCents }, env);
  if (!result.ok) return result;
  const warning = isWarningMoved ? `, with a warning at ${dollars(warningCents / 100)}` : "";
  const text =
    `The ${scope} budget is now ${amount(cents)}${warning} (${home.configFile}). ` +
    "Runs that are already running keep their limits.";
  const loaded = await loadConfig({ env, cwd, home });
  if (!loaded.ok) return { ok: true, text, notes: loaded.problems };
  const effectiveCents = configuredCents(loaded.config, scope);
  if (effectiveCents === cents) return { ok: true, text, notes: [] };
  const origin = describeOrigin(loaded.origins.get(key) ?? "default");
  return {
    ok: true,
    text,
    notes: [`in this folder the ${scope} budget is still ${amount(effectiveCents)}, set in ${origin}`],
  };
}

function amount(cents: number): string {
  return cents === 0 ? "off" : dollars(cents / 100);
}
