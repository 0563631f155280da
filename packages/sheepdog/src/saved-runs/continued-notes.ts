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
    ...(kept.length === 0 ? [] : [`As the run was started, not as configured: ${kept.join(", ")}.`]),
    ...(start.omitted.length === 0
      ? []
      : [`Not saved with the run, so as configured: ${start.omitted.join(", ")}. To change it: --set key=value`]),
  ];
}

type Start = NonNullable<ContinuedSession["start"]>;

const modelKeys: readonly string[] = ["model.provider", "model.model_id"];

/** What the run keeps although the configuration says otherwise, and no flag replaces it. */
function keptSettings(start: Start, { options, flags, config, configNow }: ContinuedConfig): readonly string[] {
  const kept = [...allKeys].flatMap(([key, { path }]) => {
    const value = valueAt(config, path);
    const isKept = key in start.settings && !(key in flags) && !isDeepStrictEqual(value, valueAt(configNow, path));
    return isKept && !modelKeys.includes(key) && key !== "model.base_url" ? [`${key}=${showValue(value)}`] : [];
  });
  const { provider, model_id: modelId } = configNow.model;
  const model = modelOf(start.settings);
  const isOtherModel = options.model === undefined && model !== undefined && model !== `${provider}:${modelId}`;
  return isOtherModel ? [model, ...kept] : kept;
}

/** What flags replace, as typed, with the value of the run. */
function replacedNotes(start: Start, { options, flags, config }: ContinuedConfig): readonly string[] {
  const recorded = (key: string) => recordedValue(start.settings, key);
  const isReplaced = (key: string) => {
    const path = allKeys.get(key)?.path;
    return path !== undefined && key in flags && !isDeepStrictEqual(recorded(key), valueAt(config, path));
  };
  const named = namedFlags(options).filter(({ text }) => text !== undefined);
  const namedKeys = new Set([...named.map(({ key }) => key), ...(options.mode ? ["agent.guardian.mode"] : [])]);
  const others = Object.keys(flags).filter((key) => !namedKeys.has(key) && isReplaced(key));
  const model = modelOf(start.settings);
  return [
    ...named
      .filter(({ key }) => isReplaced(key))
      .map(({ flag, key, text = "" }) => replaced(`${flag} ${text}`, shownAmount(key, recorded(key)))),
    ...(options.mode !== undefined && isReplaced("agent.guardian.mode")
      ? [replaced(`--mode ${options.mode}`, String(recorded("agent.guardian.mode")))]
      : []),
    ...others.map((key) =>
      replaced(`--set ${key}`, recorded(key) === undefined ? "nothing" : showValue(recorded(key))),
    ),
    ...(options.model !== undefined && model !== undefined && options.model.trim() !== model
      ? [replaced(`--model ${options.model.trim()}`, model)]
      : []),
  ];
}

function replaced(flag: string, value: string): string {
  return `${flag} replaces ${value} of the run.`;
}

function modelOf(settings: FlagValues): string | undefined {
  const { "model.provider": provider, "model.model_id": modelId } = settings;
  return provider === undefined || modelId === undefined ? undefined : `${provider}:${modelId}`;
}

/** The amount of a limit as its flag has it; 0 is no limit. */
function shownAmount(key: string, value: unknown): string {
  if (typeof value !== "number" || value === 0) return "no limit";
  if (key === "budget.per_run_limit_cents") return plainNumber(value / 100).replace(/^\d+$|\.\d$/, centsDigits);
  return key === "agent.max_duration_secs" ? `${value}s` : String(value);
}

/** "2" and ".5" with two digits after the point. */
function centsDigits(end: string): string {
  return end.startsWith(".") ? `${end}0` : `${end}.00`;
}
