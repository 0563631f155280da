import type { FlagValues } from "./load-config.ts";
import { limitUnits } from "./policy/limit-units.ts";

/** The options of `sheepdog run`. */
export interface RunOptions {
  readonly file?: string;
  readonly model?: string | undefined;
  readonly maxTurns?: string;
  readonly maxTime?: string;
  readonly maxCost?: string | undefined;
  readonly maxRunTokens?: string;
  readonly mode?: "guide" | "advise" | "observe" | undefined;
  readonly set?: readonly string[] | undefined;
  readonly resume?: string | undefined;
  readonly continue?: true | undefined;
  readonly fork?: true;
  readonly goal?: string;
  readonly expect?: readonly string[];
  readonly expectEquals?: string;
  readonly check?: readonly string[];
  readonly director?: true;
  readonly unattended?: true;
  /** The run is attended and has no terminal: only other processes answer its questions. */
  readonly answers?: "remote";
  /** The id of the new session. */
  readonly sessionId?: string;
  /** A file that gets the id of the run when it has started, for the process that waits for it. */
  readonly startFile?: string;
  readonly json?: true;
  readonly streamJson?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly cwd?: string | undefined;
}

/** The flags by configuration key, or sentences about invalid ones. */
export type FlagsResult =
  | { readonly ok: true; readonly flags: FlagValues }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the options that set a configuration key. A named option takes precedence over `--set`. */
export function readFlags(options: RunOptions): FlagsResult {
  const flags: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const text of options.set ?? []) {
    const setting = parseSetting(text);
    if (setting === undefined) problems.push(`--set ${text}: it must be key=value, e.g. agent.max_turns=10`);
    else flags[setting.key] = setting.value;
  }
  for (const { flag, key, text, parse, expected } of namedFlags(options)) {
    if (text === undefined) continue;
    const value = parse(text.trim());
    if (value === undefined) problems.push(`${flag} ${text}: it must be ${expected}`);
    else flags[key] = value;
  }
  if (options.mode !== undefined) flags["agent.guardian.mode"] = options.mode;
  return problems.length === 0 ? { ok: true, flags } : { ok: false, problems };
}

/** Parses `key=value`; undefined if there is no key or no equals sign. */
function parseSetting(setting: string): { readonly key: string; readonly value: string } | undefined {
  const equals = setting.indexOf("=");
  return equals < 1 ? undefined : { key: setting.slice(0, equals).trim(), value: setting.slice(equals + 1).trim() };
}

interface NamedFlag {
  readonly flag: string;
  readonly key: string;
  /** As typed; undefined if the flag was not given. */
  readonly text: string | undefined;
  parse(text: string): number | undefined;
  /** Completes the sentence "it must be …". */
  readonly expected: string;
}

/** The options with a name of their own that set a configuration key. */
export function namedFlags({ maxTurns, maxTime, maxCost, maxRunTokens }: RunOptions): readonly NamedFlag[] {
  const count = { parse: parseCount, expected: "a whole number above 0" };
  return [
    {
      flag: "--max-turns",
      key: "agent.max_turns",
      text: maxTurns,
      parse: (text) => (text === "0" ? 0 : parseCount(text)),
      expected: "a whole number, or 0 for no limit",
    },
    { flag: "--max-run-tokens", key: "budget.per_run_limit_tokens", text: maxRunTokens, ...count },
    {
      flag: "--max-time",
      key: "agent.max_duration_secs",
      text: maxTime,
      parse: parseSeconds,
      expected: "a time of at least one second, as in 90s, 10m or 2h, or 0 for no limit",
    },
    {
      flag: "--max-cost",
      key: "budget.per_run_limit_cents",
      text: maxCost,
      parse: parseCents,
      expected: "dollars above 0, as in 2.50",
    },
  ];
}

function parseCount(text: string): number | undefined {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  return number > 0 && Number.isSafeInteger(number) ? number : undefined;
}

function parseSeconds(text: string): number | undefined {
  if (text === "0") return 0;
  const ms = limitUnits.time.read(text) ?? 0;
  return ms < 1_000 ? undefined : Math.ceil(ms / 1_000);
}

const NANO_USD_PER_CENT = 10_000_000;

function parseCents(text: string): number | undefined {
  const nanoUsd = limitUnits["run-cost"].read(text.startsWith("$") ? text : `$${text}`);
  return nanoUsd === undefined ? undefined : nanoUsd / NANO_USD_PER_CENT;
}
