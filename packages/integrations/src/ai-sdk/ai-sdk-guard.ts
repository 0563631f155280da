import type { Guardian, Stop } from "@sheepdog/guardian";
import type { generateText, LanguageModelMiddleware, stepCountIs } from "ai";
import type { GuardState } from "../guard/loop-guard.ts";
import type { PlacedNotice } from "../guard/placed-notice.ts";
import type { FinishedStep } from "./finished-step.ts";

/** The settings of an agent that the guard adds to. All others stay as they are. */
export interface AgentSettings {
  readonly tools?: Readonly<Record<string, object>> | undefined;
  /** Required here: `generateText` ends after one step without it, and `ToolLoopAgent` after twenty. */
  readonly stopWhen: StopCondition | readonly StopCondition[];
  prepareStep?(options: StepOptions): unknown;
  onStepFinish?(step: AnyStep): unknown;
  /** The name of `onStepFinish` in version 7. */
  onStepEnd?(step: AnyStep): unknown;
}

/** The result of a step with any tools. */
type AnyStep = Parameters<ReturnType<typeof stepCountIs>>[0]["steps"][number];
type PrepareStep = NonNullable<Parameters<typeof generateText>[0]["prepareStep"]>;
type StepOptions = Omit<Parameters<PrepareStep>[0], "steps"> & { readonly steps: AnyStep[] };
type StopCondition = (options: never) => PromiseLike<boolean> | boolean;

/** What the guard reads of the options of `prepareStep`. */
export interface PrepareStepOptions<Message> {
  readonly steps: readonly FinishedStep[];
  readonly messages: Message[];
}

/** The state of a guard: plain JSON, to be saved with the messages of the conversation. */
export interface AiSdkGuardState extends GuardState {
  /** The newest notices that are part of the conversation. */
  readonly placed: readonly PlacedNotice[];
}

/**
 * The guardian inside `generateText`, `streamText` and `ToolLoopAgent`; one for each conversation. `settings` does all;
 * the other pieces are for programs that put their settings together in another way.
 */
export interface AiSdkGuard {
  /** Adds the guard to the settings of an agent: tools, stop condition, `prepareStep` and `onStepFinish`. */
  settings<Settings extends AgentSettings>(settings: Settings): Settings;
  /** The same tools; a refused call throws a `CallRefusedError`, whose message becomes the result. */
  tools<Tools extends Readonly<Record<string, object>>>(tools: Tools): Tools;
  /** Ends the run once the guardian has stopped it. To be added to the conditions of the program. */
  stopWhen(options: { readonly steps: readonly FinishedStep[] }): boolean;
  /** Adds the notices of the guardian to the messages of a step; undefined if there are none to add. */
  prepareStep<Message>(options: PrepareStepOptions<Message>): { messages: Message[] } | undefined;
  /** Reports the last step, which no `stopWhen` and no `prepareStep` follows. In version 7 also for `onStepEnd`. */
  onStepFinish(step: FinishedStep): void;
  /** For `wrapLanguageModel`, in place of `prepareStep`: adds the notices to the prompt and reports usage. */
  readonly middleware: LanguageModelMiddleware;
  /** A person has written; excuses looking again. */
  userMessage(): void;
  /** Set once the guardian has stopped the run. */
  readonly stop: Stop | undefined;
  /** The guardian itself, for everything else. */
  readonly guardian: Guardian;
  snapshot(): AiSdkGuardState;
}
