import type { FlagValues } from "../../config/load-config.ts";
import { limitUnits } from "../../config/policy/limit-units.ts";

/** The options of `sheepdog run`. */
export interface RunOptions {
  readonly file?: string;
  readonly model?: string;
  readonly maxTurns?: string;
  readonly maxTime?: string;
  readonly maxCost?: string;
  readonly maxRunTokens?: string;
  readonly mode?: "guide" | "advise" | "observe";
  readonly set?: readonly string[];
  readonly resume?: string;
  readonly continue?: true;
  readonly fork?: true;
  readonly goal?: string;
  readonly expect?: readonly string[];
  readonly unattended?: true;
  readonly json?: true;
  readonly streamJson?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly cwd?: string;
}

/** The flags as keys of the configuration, or sentences about those that say nothing. */
export type ReadFlags =
  | { readonly ok: true; readonly flags: FlagValues }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the options that stand for a key of the configuration. A named one counts before `--set`. */
export function readFlags(options: RunOptions): ReadFlags {
  const flags: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const setting of options.set ?? []) {
    const read = settingOf(setting);
    if (read === undefined) problems.push(`--set ${setting}: it must be key=value, e.g. agent.max_turns=10`);
    else flags[read.key] = read.value;
  }
  for (const { flag, key, given, read, what } of namedFlags(options)) {
    if (given === undefined) continue;
    const value = read(given.trim());
    if (value === undefined) problems.push(`${flag} ${given}: it must be ${what}`);
    else flags[key] = value;
  }
  if (options.mode !== undefined) flags["agent.guardian.mode"] = options.mode;
  return problems.length === 0 ? { ok: true, flags } : { ok: false, problems };
}

/** What `--set` says; undefined where that is nothing. */
export function settingOf(setting: string): { readonly key: string; readonly value: string } | undefined {
  const equals = setting.indexOf("=");
  return equals < 1 ? undefined : { key: setting.slice(0, equals).trim(), value: setting.slice(equals + 1).trim() };
}

interface NamedFlag {
  readonly flag: string;
  readonly key: string;
  readonly given: string | undefined;
  read(text: string): number | undefined;
  /** To end the sentence "it must be …". */
  readonly what: string;
}

/** The options that have a name of their own and stand for a key of the configuration. */
export function namedFlags({ maxTurns, maxTime, maxCost, maxRunTokens }: RunOptions): readonly NamedFlag[] {
  const count = { read: countOf, what: "a whole number above 0" };
  return [
    { flag: "--max-turns", key: "agent.max_turns", given: maxTurns, ...count },
    { flag: "--max-run-tokens", key: "budget.per_run_limit_tokens", given: maxRunTokens, ...count },
    {
      flag: "--max-time",
      key: "agent.max_duration_secs",
      given: maxTime,
      read: secondsOf,
      what: "a time as in 90s, 10m, 2h, of a second at least",
    },
    {
      flag: "--max-cost",
      key: "budget.per_run_limit_cents",
      given: maxCost,
      read: centsOf,
      what: "dollars above 0, as in 2.50",
    },
  ];
}

function countOf(text: string): number | undefined {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  return number > 0 && Number.isSafeInteger(number) ? number : undefined;
}

function secondsOf(text: string): number | undefined {
  const ms = limitUnits.time.read(text) ?? 0;
  return ms < 1_000 ? undefined : Math.ceil(ms / 1_000);
}

const NANO_USD_PER_CENT = 10_000_000;

function centsOf(text: string): number | undefined {
  const nanoUsd = limitUnits["run-cost"].read(text.startsWith("$") ? text : `$${text}`);
  return nanoUsd === undefined ? undefined : nanoUsd / NANO_USD_PER_CENT;
}
