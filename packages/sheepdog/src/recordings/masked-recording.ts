import { isSecretName, redactSecrets } from "@sheepdog/guardian/secrets";
import type { RecordedCall, RecordedPosition, RecordedRun, RecordedStep } from "@sheepdog/records";

/**
 * A recording without secrets, as the saved runs of Sheepdog are: other agents record what their tools print. Ids are
 * masked as all texts are, so that a parent and its subagents still name each other.
 */
export function maskedRecording(run: RecordedRun): RecordedRun {
  return { ...run, ...maskedTexts(run), steps: run.steps.map(maskedStep) };
}

/** The texts about a run, without secrets. */
export function maskedTexts(run: Partial<RecordedRun>): Partial<RecordedRun> {
  return masked(run, ["id", "source", "model", "provider", "task", "outcome", "project", "parent"]);
}

function maskedStep(step: RecordedStep): RecordedStep {
  const { usage, opinions } = step;
  return {
    ...step,
    ...masked(step, ["text", "prompt", "agent", "model"]),
    ...maskedPosition(step),
    ...(usage === undefined ? {} : { usage: { ...usage, ...masked(usage, ["request"]) } }),
    ...(opinions === undefined
      ? {}
      : { opinions: opinions.map((opinion) => ({ ...opinion, ...masked(opinion, ["request", "advice"]) })) }),
    calls: step.calls.map(maskedCall),
  };
}

function maskedCall(call: RecordedCall): RecordedCall {
  return {
    ...call,
    ...masked(call, ["name", "child"]),
    ...maskedPosition(call),
    args: maskedValue(call.args),
    result: maskedValue(call.result),
  };
}

function maskedPosition({ position }: { readonly position?: RecordedPosition }): {
  readonly position?: RecordedPosition;
} {
  return position === undefined ? {} : { position: { ...position, ...masked(position, ["file", "entry"]) } };
}

/** These texts of an object, without secrets; those that it has. */
function masked<T extends object>(holder: T, names: readonly (keyof T & string)[]): Partial<T> {
  const texts = names.flatMap((name) => {
    const text = holder[name];
    return typeof text === "string" ? [[name, redactSecrets(text)]] : [];
  });
  return Object.fromEntries(texts) as Partial<T>; // each text under its own name
}

/** The reader has bounded the depth. */
function maskedValue(value: unknown, name = ""): unknown {
  const isLiteral = value === null || value === "" || typeof value === "boolean";
  if (!isLiteral && isSecretName(name)) return "…";
  if (typeof value === "string") return redactSecrets(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskedValue(item));
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [redactSecrets(field), maskedValue(item, field)]),
  );
}
