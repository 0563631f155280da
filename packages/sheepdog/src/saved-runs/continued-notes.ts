import { isDeepStrictEqual } from "node:util";
import { allKeys } from "../config/config-shape.ts";
import { showValue } from "../config/describe-value.ts";
import type { FlagValues } from "../config/flag-layer.ts";
import { valueAt } from "../config/merged-settings.ts";
import { namedFlags, type RunOptions } from "../config/run-options.ts";
import { recordedValue } from "../config/run-settings.ts";
import type { Config } from "../config/schema.ts";
import { plainNumber } from "../render/plain-number.ts";
import type { ContinuedSession } from "./continued-session.ts";

interface ContinuedConfig {
  readonly options: RunOptions;
  readonly flags: FlagValues;
  /** The configuration of the run that starts. */
  readonly config: Config;
  /** The configuration without the run that it continues and without flags. */
  readonly configNow: Config;
}

/** Sentences about what a run keeps of the run that it continues, and what flags replace. */
export function continuedNotes(session: ContinuedSession, continued: ContinuedConfig): readonly string[] {
  const { start, lastRun } = session;
  if (start === undefined) {
    const model = lastRun?.model === undefined ? "" : ` The run used the model ${lastRun.model}.`;
    return [
      `What the last run of ${session.sessionId} was started with is not saved: model and limits are those of the ` +
        `configuration and the flags.${model}`,
    ];
  }
  const kept = keptSettings(start, continued);
  return [
    ...replacedNotes(start, continued),
    ...(kept.length === 0 ? [] : [`Continues as the run was started: ${kept.join(" ")}`]),
    ...(start.omitted.length === 0
      ? []
      : [`Not saved with the run, so as configured: ${start.omitted.join(", ")}. To change it: --set key=value`]),
  ];
}

type Start = NonNullable<ContinuedSession["start"]>;

/** What the run keeps although the configuration says otherwise, as flags. */
function keptSettings(start: Start, { options, flags, config, configNow }: ContinuedConfig): readonly string[] {
  const model = modelOf(start.settings);
  const isOtherModel = model !== `${configNow.model.provider}:${configNow.model.model_id}`;
  const kept = [...allKeys].filter(
    ([key, { path }]) =>
      !(key in flags) &&
      !modelKeys.includes(key) &&
      !isDeepStrictEqual(valueAt(config, path), valueAt(configNow, path)),
  );
  return [
    ...(options.model === undefined && model !== undefined && isOtherModel ? [`--model ${model}`] : []),
    ...kept.map(([key, { path }]) => flagOf(key, valueAt(config, path))),
  ];
}

const modelKeys: readonly string[] = ["model.provider", "model.model_id", "model.base_url"];

/** What flags replace, with the value of the run. */
function replacedNotes(start: Start, { options, flags, config }: ContinuedConfig): readonly string[] {
  const model = modelOf(start.settings);
  const notes = [...allKeys].flatMap(([key, { path }]) => {
    const [before, now] = [recordedValue(start.settings, key), valueAt(config, path)];
    if (!(key in flags) || isDeepStrictEqual(before, now)) return [];
    if (before === 0) return [`${flagOf(key, now)} applies from now on; the run was started with none.`];
    return [`${flagOf(key, now)} replaces ${textOf(key, before)} of the run.`];
  });
  const isModelReplaced = options.model !== undefined && model !== undefined && options.model.trim() !== model;
  return isModelReplaced ? [...notes, `--model ${options.model.trim()} replaces ${model} of the run.`] : notes;
}

/** A setting as the flag that gives it. */
function flagOf(key: string, value: unknown): string {
  if (key === "agent.guardian.mode") return `--mode ${value}`;
  if (key === "agent.attended" && value === false) return "--unattended";
  const named = namedFlags({}).find((flag) => flag.key === key);
  return named === undefined ? `--set ${key}=${showValue(value)}` : `${named.flag} ${textOf(key, value)}`;
}

/** A value as it is typed: an amount of money in dollars. */
function textOf(key: string, value: unknown): string {
  if (key === "budget.per_run_limit_cents" && typeof value === "number")
    return plainNumber(value / 100).replace(/^\d+$|\.\d$/, centsDigits);
  if (key === "agent.max_duration_secs") return `${value}s`;
  return key === "agent.guardian.mode" ? String(value) : showValue(value);
}

function modelOf(settings: FlagValues): string | undefined {
  const { "model.provider": provider, "model.model_id": modelId } = settings;
  return provider === undefined || modelId === undefined ? undefined : `${provider}:${modelId}`;
}

/** "2" and ".5" with two digits after the point. */
function centsDigits(end: string): string {
  return end.startsWith(".") ? `${end}0` : `${end}.00`;
}
