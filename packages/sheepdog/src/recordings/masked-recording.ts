import { isSecretName, redactSecrets } from "@sheepdog/guardian/secrets";
import type { GuardianAct, RecordedCall, RecordedPosition, RecordedRun, RecordedStep } from "@sheepdog/records";

/**
 * A recording without secrets, as the saved runs of Sheepdog are: other agents record what their tools print. Ids are
 * masked as all texts are, so that a parent and its subagents still name each other.
 */
export function maskedRecording(run: RecordedRun): RecordedRun {
  return { ...run, ...maskedTexts(run), ...maskedGuardian(run), steps: run.steps.map(maskedStep) };
}

/** What the guardian said may quote a line of a result. */
function maskedGuardian({ guardian }: RecordedRun): Pick<RecordedRun, "guardian"> {
  if (guardian === undefined) return {};
  const acts = guardian.acts.map((act): GuardianAct => {
    if (act.type === "refused") return { ...act, message: redactSecrets(act.message) };
    if (act.type === "recovered") return act;
    return { ...act, intervention: { ...act.intervention, message: redactSecrets(act.intervention.message) } };
  });
  return { guardian: { ...guardian, acts } };
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
