import type { Policy } from "@sheepdog/guardian";
import type { Spending } from "../costs/spending.ts";
import type { RunEvents } from "../events/run-events.ts";
import type { Gate } from "../gate/gate.ts";
import type { Check } from "../goals/check.ts";
import type { Judge, JudgeAnswer, JudgeQuestion } from "../goals/judge.ts";
import type { Guard } from "../guard/guard.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Goal } from "../protocol/goal.ts";
import type { CallPart } from "../protocol/messages.ts";
import type { RequestPurpose } from "../protocol/request-purpose.ts";
import type { Approve, RunRef } from "../protocol/run.ts";
import type { RunGuard } from "../protocol/run-guard.ts";
import type { AskAboutRun } from "../protocol/run-question.ts";
import type { RunSpec } from "../protocol/run-spec.ts";
import type { AgentSettings } from "../protocol/settings.ts";
import type { Model } from "../provider/model.ts";
import type { RequestModel } from "../provider/model-request.ts";
import type { AuditTrail } from "../safety/audit-trail.ts";
import type { Redact } from "../secrets/redact.ts";
import type { SubagentSpending } from "../session/close-orphaned-run.ts";
import type { History } from "../session/history.ts";
import type { SessionWriter } from "../session/session-writer.ts";
import type { UnansweredCall } from "../stores/stores.ts";
import type { Tool } from "../tools/tool.ts";
import type { Inbox } from "./inbox.ts";
import type { RunChanges } from "./run-changes.ts";
import type { RunTools } from "./run-tools.ts";
import type { WrittenFiles } from "./written-files.ts";

/** What was decided before the run started. Immutable. */
export interface RunSetup extends RunRef {
  /** The prompt that started the run, perhaps in a process that crashed since. */
  readonly title: string;
  readonly startedAt: number;
  /** Absent for a subagent, and if the program that started the run gave none. */
  readonly spec?: RunSpec;
  readonly isResumed: boolean;
  /** The session that pays: its own, or that of the run which started this one as a subagent. */
  readonly billingSessionId: string;
  readonly goal?: Goal;
  /** The run plans, and other runs do the work. */
  readonly isDirected?: true;
  /** What the requests of its turns are for; default: `turn`. */
  readonly turnPurpose?: RequestPurpose;
  readonly system: string;
  readonly workspace: string;
  readonly settings: AgentSettings;
  /** How the guardian judges, with the limits of the settings. */
  readonly policy: Policy;
  /** Whether a user watches the run and can be asked. */
  readonly isAttended: boolean;
  readonly models: readonly Model[];
  /** The models that judge the goal. */
  readonly judgeModels: readonly Model[];
  /** The models that give second opinions. */
  readonly opinionModels: readonly Model[];
  /** Sends a request, with retries and fallbacks. */
  readonly requestModel: RequestModel;
  readonly tools: RunTools;
  readonly gate: Gate;
  readonly judge: Judge;
  /** The functions that a goal may name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** The tool `bash` of the runtime, also if this run may not call it: it runs the commands of the goal. */
  readonly bash?: Tool;
  /** Ask the user; absent when the run is unattended. */
  readonly approve?: Approve;
  readonly askAboutRun?: AskAboutRun;
  /** How long the run waits for an answer. Absent: without limit. */
  readonly answerTimeoutMs?: number;
  readonly clock: Clock;
  /** Removes secrets from a text. */
  readonly redact: Redact;
  /** Removes only the values of keys in use. */
  readonly maskValues: Redact;
  /** Aborted when the run is cancelled. */
  readonly cancelled: AbortSignal;
  /** What the crashed process had written about the calls of its last reply. */
  readonly unansweredCalls: readonly UnansweredCall[];
}

/** One run: its setup, and the owners of everything that changes. Code that is not the owner asks the owner. */
export interface AgentRun {
  readonly setup: RunSetup;
  readonly history: History;
  readonly spending: Spending;
  readonly guard: Guard;
  readonly events: RunEvents;
  readonly writer: SessionWriter;
  readonly audit: AuditTrail;
  readonly inbox: Inbox;
  readonly subagents: Subagents;
  readonly secondOpinion: OpenQuestion;
  readonly judgeModel: JudgeModel;
  readonly writtenFiles: WrittenFiles;
  readonly changes: RunChanges;
  /** The guards of the runtime's options that have not failed in this run. */
  readonly guards: RunGuard[];
}

/** A question to a model beside the turns that is open, if there is one. */
interface OpenQuestion {
  /** Ends it. Resolves when its cost is recorded; nothing is asked afterwards. */
  end(): Promise<void>;
}

/** Asks the model that judges, within its share of the run's cost. */
export interface JudgeModel extends OpenQuestion {
  ask(
    question: JudgeQuestion,
    turn: { readonly isAnswer: boolean; readonly signal: AbortSignal },
  ): Promise<JudgeAnswer>;
}

/** The subagents of a run. */
interface Subagents {
  /** Resolves when all running subagents are over. */
  settled(): Promise<void>;
  /** Closes the orphaned subagents of a call whose process crashed; returns the spending of each. */
  closeOrphaned(call: CallPart): Promise<readonly SubagentSpending[]>;
}
