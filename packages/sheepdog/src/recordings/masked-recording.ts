import { isSecretName, redactSecrets } from "@sheepdog/guardian/secrets";
import type { RecordedCall, RecordedRun, RecordedStep } from "@sheepdog/records";

/** A recording without secrets, as the saved runs of Sheepdog are: other agents record what their tools print. */
export function maskedRecording(run: RecordedRun): RecordedRun {
  return {
    ...run,
    ...maskedTexts(run),
    steps: run.steps.map(maskedStep),
  };
}

/** The texts about a run, without secrets. */
export function maskedTexts({ source, model, task, outcome, project }: Partial<RecordedRun>): Partial<RecordedRun> {
  const texts = Object.entries({ source, model, task, outcome, project });
  return Object.fromEntries(texts.flatMap(([name, text]) => (text === undefined ? [] : [[name, redactSecrets(text)]])));
}

function maskedStep(step: RecordedStep): RecordedStep {
  const { text, prompt, calls } = step;
  return {
    ...step,
    text: redactSecrets(text),
    ...(prompt === undefined ? {} : { prompt: redactSecrets(prompt) }),
    calls: calls.map(maskedCall),
  };
}

function maskedCall(call: RecordedCall): RecordedCall {
  return { ...call, name: redactSecrets(call.name), args: maskedValue(call.args), result: maskedValue(call.result) };
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
