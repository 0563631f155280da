import type { Policy } from "@sheepdog/guardian";
import type { PriceFunction } from "../costs/run-prices.ts";
import type { TreeBudget } from "../costs/tree-budget.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Gate } from "../gate/gate.ts";
import type { Check } from "../goals/check.ts";
import type { Judge } from "../goals/judge.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Approve } from "../protocol/run.ts";
import type { RunGuard } from "../protocol/run-guard.ts";
import type { AskAboutRun } from "../protocol/run-question.ts";
import type { RunSpec } from "../protocol/run-spec.ts";
import type { AgentSettings } from "../protocol/settings.ts";
import type { Model } from "../provider/model.ts";
import type { Redact } from "../secrets/redact.ts";
import type { Holder, Stores } from "../stores/stores.ts";
import type { Tool } from "../tools/tool.ts";
import type { SessionQueue } from "./session-queue.ts";
import type { ReportUsage } from "./subagents.ts";

/** The options of a runtime. Only a model is required. */
export interface RuntimeOptions {
  /** The model, then the models to fall back to. */
  readonly models: readonly Model[];
  readonly tools?: readonly Tool[];
  /**
   * Further tools that come and go, such as those of MCP servers. Called before each turn; the same list means that
   * nothing has changed. A tool of `tools` keeps its name.
   */
  readonly changingTools?: () => readonly Tool[];
  /** Adds the tool `spawn`, which starts subagents with the same tools. */
  readonly subagents?: boolean;
  /** The absolute path of the folder where tools work; default: the current folder. */
  readonly workspace?: string;
  /** The system text for the model. */
  readonly system?: string;
  readonly settings?: Partial<AgentSettings>;
  /** The guardian's policy; default: `defaultPolicy`, with a second opinion before force. */
  readonly policy?: Policy;
  /** The model that gives second opinions, if the policy wants them; default: that of the run. */
  readonly secondOpinionModel?: Model;
  /** Decides about each call; default: `createGate()`. */
  readonly gate?: Gate;
  /** Further guards: each may refuse the calls of a reply with a warning. */
  readonly guards?: readonly RunGuard[];
  /** Decides whether a run has reached its goal; default: by the goal's criteria and constraints, and by the model. */
  readonly judge?: Judge;
  /** The model that judges goals; default: that of the run. */
  readonly judgeModel?: Model;
  /** The functions that the criteria and rules of type `Custom` name. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** The model that plans for `runWithDirector`; default: that of the run. */
  readonly directorModel?: Model;
  /** Further models that the nodes of a plan may use, by the name that the director reads. */
  readonly nodeModels?: Readonly<Record<string, Model>>;
  /** Default: `memoryStores()`. */
  readonly stores?: Stores;
  /** Whether the user is watching; default: true if `approve` or `askAboutRun` is given. */
  readonly attended?: boolean;
  /** Asks the user whether a call may be executed. */
  readonly approve?: Approve;
  /**
   * Asks the user how a run continues, before the guardian refuses calls or ends the run, and when the run has used its
   * turns or its time. Without an answer, or in an unattended run, the intervention takes effect.
   */
  readonly askAboutRun?: AskAboutRun;
  /**
   * How long `approve` and `askAboutRun` may take, in milliseconds. Then the call is refused, or the intervention takes
   * effect. Default: no limit.
   */
  readonly answerTimeoutMs?: number;
  /** The price of a request in nano-dollars, or null; default: the built-in price list. */
  readonly price?: PriceFunction;
  /**
   * Values that are removed from every event, saved record and log, in every spelling: API keys in use, passwords.
   * Those of fewer than eight characters are not removed, since they occur in ordinary words.
   */
  readonly secrets?: readonly string[];
  readonly clock?: Clock;
  /** What the runs are started with: saved with each run for the process that resumes it. */
  readonly spec?: RunSpec;
  /** Writes run logs to a folder: level 1 a summary, 2 also turns and the guardian, 3 also calls. Default: no logs. */
  readonly log?: { readonly dir: string; readonly level: 1 | 2 | 3 };
}

/** The completed options, shared by all runs of a runtime. Subagents get a copy with their own values. */
export interface RuntimeContext extends RuntimeOptions {
  readonly attended: boolean;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly bus: EventBus;
  /** Removes secrets from a text. */
  readonly redact: Redact;
  /** Removes only the values of `secrets`. */
  readonly maskValues: Redact;
  readonly holder: Holder;
  readonly queue: SessionQueue;
  /** The tool `bash` of the options: runs that may not call it still run the commands of a goal with it. */
  readonly bash?: Tool;
  /** 0 for a run of the user, 1 for its subagents, and so on. */
  readonly depth: number;
  /** The session that pays for a subagent. */
  readonly billingSessionId?: string;
  /** The money of the run that a subagent belongs to, with all its subagents. */
  readonly tree?: TreeBudget;
  /** Reports the usage of a subagent's own subagents to the runs above it. */
  readonly reportUsage?: ReportUsage;
  /** What subagents get, if it differs: the nodes of a plan are ordinary runs. */
  readonly childContext?: RuntimeContext;
}
