import { redactSecrets } from "@sheepdog/guardian/secrets";
import { namedFlags, parseSetting, type RunOptions } from "../../config/run-options.ts";
import type { ChangedLimits } from "../../control/changed-limits.ts";
import { shellWord } from "../../render/terminal/shell-word.ts";
import { cannotContinue, type EndedRun, type EndedUnder, raiseLimit } from "../../saved-runs/raised-limit.ts";

/** What the command needs besides the session. */
export interface ResumeCommandOptions extends EndedUnder {
  readonly options: RunOptions;
  readonly changedLimits?: ChangedLimits;
  /** How the user calls the program; by default `sheepdog`. */
  readonly program?: string;
  /** Absolute; set if the user named a folder. */
  readonly cwd?: string | undefined;
}

/**
 * The command that resumes a run with the same limits, model and settings, and with the limit that ended it raised.
 * Undefined if the run would end again at once.
 */
export function resumeCommandLine(
  ended: EndedRun,
  { options, changedLimits = {}, cwd, program = "sheepdog", ...rest }: ResumeCommandOptions,
): string | undefined {
  if (cannotContinue(ended)) return undefined;
  const raised = raiseLimit(ended, rest);
  return [
    `${program} run --resume ${ended.sessionId}`,
    ...(raised === undefined ? [] : [raised.flag]),
    ...sameFlags(withChangedLimits(options, changedLimits), raised?.key),
    ...(cwd === undefined ? [] : [`--cwd ${shellWord(cwd)}`]),
  ].join(" ");
}

/** The options with the limits in force. A limit of money or tokens that was removed needs no flag. */
function withChangedLimits(options: RunOptions, changed: ChangedLimits): RunOptions {
  const { "run-cost": costNanoUsd, "run-tokens": tokens, turns, time: timeMs } = changed;
  const { maxCost, maxRunTokens, ...others } = options;
  const cost = costNanoUsd === undefined ? maxCost : dollarsText(costNanoUsd);
  const runTokens = tokens === undefined ? maxRunTokens : tokens === 0 ? undefined : String(tokens);
  return {
    ...others,
    ...(cost === undefined ? {} : { maxCost: cost }),
    ...(runTokens === undefined ? {} : { maxRunTokens: runTokens }),
    ...(turns === undefined ? {} : { maxTurns: String(turns) }),
    ...(timeMs === undefined ? {} : { maxTime: timeMs === 0 ? "0" : `${Math.ceil(timeMs / 1_000)}s` }),
  };
}

/** As flags have it, without an exponent; undefined for 0. */
function dollarsText(nanoUsd: number): string | undefined {
  return nanoUsd === 0 ? undefined : (nanoUsd / 1e9).toFixed(9).replace(/\.?0+$/, "");
}

/** The flags of the command line that still apply, except settings with secrets: those are never printed. */
function sameFlags(options: RunOptions, raisedKey: string | undefined): readonly string[] {
  const settings = (options.set ?? []).filter((setting) => {
    const { key, value = "" } = parseSetting(setting) ?? {};
    const isNumber = /^[\d.]+$/.test(value); // `max_context_tokens=8000` looks like a secret token
    return key !== raisedKey && (isNumber || redactSecrets(setting) === setting);
  });
  return [
    ...namedFlags(options).flatMap(({ flag, key, text }) =>
      text === undefined || key === raisedKey ? [] : [`${flag} ${shellWord(text)}`],
    ),
    ...(options.mode === undefined ? [] : [`--mode ${options.mode}`]),
    ...settings.map((setting) => `--set ${shellWord(setting)}`),
    ...(options.unattended === undefined ? [] : ["--unattended"]),
    ...(options.model === undefined ? [] : [`--model ${shellWord(options.model)}`]),
  ];
}
