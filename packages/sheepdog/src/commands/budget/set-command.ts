import { loadConfig } from "../../config/load-config.ts";
import { setValues } from "../../config/set-value.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { centsOf } from "./limits-of.ts";
import { originWords } from "./origin-words.ts";
import { readMoney } from "./read-amount.ts";
import { isScope, nanoUsdPerCent, scopes } from "./scopes.ts";

/** Sets a limit of money in the user's configuration, or takes it away. */
export async function setCommand(scope: string, amount: string, io: Io): Promise<number> {
  const refuse = async (problems: readonly string[]) => {
    for (const problem of problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  };
  if (!isScope(scope)) return refuse([`"${scope}" has no limit; it must be ${Object.keys(scopes).join(", ")}`]);
  const read = amount === "off" ? ({ ok: true, value: 0 } as const) : readMoney(amount);
  if (!read.ok) return refuse([`${read.problem}; off takes the limit away`]);
  const { key, of } = scopes[scope];
  const home = resolveHome(io.env);
  const cents = read.value / nanoUsdPerCent;
  const warning = cents * warningShare;
  let set = await setValues(home.configFile, { [key]: cents }, io.env);
  const isWarningMoved = !set.ok && set.problems.some((problem) => problem.includes(warningKey));
  if (isWarningMoved) set = await setValues(home.configFile, { [key]: cents, [warningKey]: warning }, io.env);
  if (!set.ok) return refuse(set.problems);
  const limit = cents === 0 ? "no limit" : `a limit of ${dollars(cents / 100)}`;
  const warns = isWarningMoved ? ` and warns at ${dollars(warning / 100)}` : "";
  await write(
    io.stdout,
    `${capital(of)} has ${limit}${warns} now (${home.configFile}). Runs that go on keep theirs.\n`,
  );
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home });
  if (!loaded.ok) return refuse(loaded.problems);
  const holds = centsOf(loaded.config, scope);
  if (holds !== cents)
    await writeMessage(
      io,
      plainText(
        `here it is ${holds === 0 ? "off" : dollars(holds / 100)} all the same, by ${originWords(loaded.origins.get(key))}`,
      ),
    );
  return exitCode.done;
}

/** A warning that a lower limit would come before is moved below it. */
const warningKey = "budget.warning_threshold_cents";
const warningShare = 0.8;

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
