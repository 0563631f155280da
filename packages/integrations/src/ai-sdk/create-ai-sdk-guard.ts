import { createLoopGuard } from "../guard/create-loop-guard.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import { readPlaced } from "../guard/placed-notice.ts";
import type { AgentSettings, AiSdkGuard } from "./ai-sdk-guard.ts";
import type { FinishedStep } from "./finished-step.ts";
import { guardTools } from "./guarded-tools.ts";
import { createMiddleware } from "./middleware.ts";
import { NoticePlaces } from "./notice-places.ts";
import { StepObserver } from "./step-observer.ts";

/** Creates the guard of one conversation. Wrong options throw; nothing that a model or a tool returns does. */
export function createAiSdkGuard(options: GuardOptions = {}): AiSdkGuard {
  const loop = createLoopGuard(options);
  const places = new NoticePlaces(loop, readPlaced(options.state));
  const steps = new StepObserver(loop);

  const guard: AiSdkGuard = {
    settings: (settings) => guardSettings(settings, guard),
    tools: (tools) => guardTools(tools, loop, (id) => steps.onCall(id)),
    stopWhen(finished) {
      steps.observe(finished.steps.at(-1));
      loop.beforeRequest(); // the end of a turn may end the run
      return loop.stop !== undefined;
    },
    prepareStep(step) {
      steps.observe(step.steps.at(-1));
      const messages = places.addTo(step.messages);
      return messages === undefined ? undefined : { messages };
    },
    onStepFinish: (step) => steps.observe(step),
    middleware: createMiddleware({
      addNotices: (prompt) => places.addTo(prompt),
      onUsage(usage) {
        loop.usage(usage);
        steps.onUsage();
      },
    }),
    userMessage: () => loop.userMessage(),
    get stop() {
      return loop.stop;
    },
    guardian: loop.guardian,
    snapshot: () => ({ ...loop.snapshot(), placed: places.placed }),
  };
  return guard;
}

function guardSettings<Settings extends AgentSettings>(settings: Settings, guard: AiSdkGuard): Settings {
  const { tools, stopWhen, prepareStep, onStepFinish, onStepEnd } = settings as unknown as CallableSettings;
  if (stopWhen === undefined)
    throw new TypeError(
      "Expected settings with stopWhen, got none. Without it generateText ends after one step and ToolLoopAgent " +
        "after 20, so give the one that you mean, for example stopWhen: stepCountIs(20).",
    );
  const onStep = (step: FinishedStep) => {
    guard.onStepFinish(step);
    return (onStepEnd ?? onStepFinish)?.(step);
  };
  const guarded = {
    ...settings,
    ...(tools === undefined ? {} : { tools: guard.tools(tools) }),
    stopWhen: [...(Array.isArray(stopWhen) ? stopWhen : [stopWhen]), guard.stopWhen],
    prepareStep: async (step: PrepareStepInput) => {
      const own = await prepareStep?.(step);
      const added = guard.prepareStep({ steps: step.steps, messages: own?.messages ?? step.messages });
      return added === undefined ? own : { ...own, ...added };
    },
    // Version 7 has both names and calls one of them.
    ...(onStepEnd === undefined ? { onStepFinish: onStep } : { onStepEnd: onStep }),
  };
  return guarded as Settings; // the same fields, each with a function of the same type
}

interface PrepareStepInput {
  readonly steps: readonly FinishedStep[];
  readonly messages: unknown[];
}

/** The settings with functions that can be called. */
interface CallableSettings {
  readonly tools?: Readonly<Record<string, object>>;
  readonly stopWhen?: unknown;
  readonly prepareStep?: (options: PrepareStepInput) => PromiseLike<PreparedStep> | PreparedStep;
  readonly onStepFinish?: (step: FinishedStep) => unknown;
  readonly onStepEnd?: (step: FinishedStep) => unknown;
}

type PreparedStep = { readonly messages?: unknown[] } | undefined;
