import { redactSecrets } from "@sheepdog/guardian/secrets";
import { createOtlpSender } from "../../opentelemetry/otlp-sender.ts";
import { type OtlpTarget, otlpTarget } from "../../opentelemetry/otlp-target.ts";
import { chooseOpenTelemetry, type OpenTelemetrySettings } from "../../opentelemetry/settings.ts";
import { type Check, type Finding, ok, warn } from "../finding.ts";

const timeoutMs = 3_000;

/** Says whether runs are exported and where to, and whether the collector accepts an export without data. */
export const openTelemetryCheck: Check = {
  name: "opentelemetry",
  async run(context) {
    const { opentelemetry } = await context.config();
    const { env } = context.io;
    const choice = chooseOpenTelemetry(opentelemetry, env);
    if (!choice.isOn)
      return [choice.problem === undefined ? ok("OpenTelemetry is off: nothing is exported.") : warn(choice.problem)];
    try {
      const target = otlpTarget(choice.settings, env);
      return [await findingOf(choice.settings, target, context.isOnline)];
    } catch (error) {
      return [warn(error instanceof Error ? error.message : String(error), fix)];
    }
  },
};

const fix = "Check opentelemetry.endpoint and headers, or turn it off: sheepdog config set opentelemetry.enabled false";

async function findingOf(settings: OpenTelemetrySettings, target: OtlpTarget, isOnline: boolean): Promise<Finding> {
  const { protocol, config } = settings;
  const { origin, hostname, pathname } = new URL(target.url);
  const address = redactSecrets(`${origin}${pathname}`);
  const content = config.capture_content ? "with content" : "without content";
  const shown = `Runs are exported to ${address} (${protocol}, ${content})`;
  if (!isOnline && !/^(?:localhost|127\.|\[::1\])/.test(hostname))
    return ok(`${shown}. It was not asked. To ask it: sheepdog doctor --online`);
  const sender = createOtlpSender({ ...target, timeoutMs: Math.min(target.timeoutMs, timeoutMs) }, protocol);
  sender.stopRetries();
  const empty = protocol === "http/json" ? "{}" : ""; // an empty message of protobuf has no bytes
  const problem = await sender.send(new TextEncoder().encode(empty));
  sender.close();
  return problem === undefined
    ? ok(`${shown}, which answers.`)
    : warn(`${shown}, which does not accept data (${redactSecrets(problem)}). Runs work without it.`, fix);
}
