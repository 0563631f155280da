import { type Origin, redactSecrets } from "@sheepdog/guardian";
import type { RunPrices } from "@sheepdog/records";
import { keepShape } from "../async/keep-shape.ts";
import type { ContextBudget, SentTool } from "../context/budget.ts";
import type { TokenCounter } from "../context/count-tokens.ts";
import type { Outbox } from "../events/outbox.ts";
import type { Gate } from "../gate/gate.ts";
import type { Goal } from "../goals/goal.ts";
import type { Judge } from "../goals/judge.ts";
import type { Guard } from "../guard/guard.ts";
import type { Clock } from "../protocol/clock.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { CallPart, Message, Usage } from "../protocol/messages.ts";
import type { AgentSettings } from "../protocol/settings.ts";
import type { Model } from "../provider/model.ts";
import type { ChildSpent } from "../session/close-orphaned-run.ts";
import type { History } from "../session/history.ts";
import type { CostRow, CostTotals, Lease, Stores, UnansweredCall } from "../stores/stores.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { RecoveryCounts } from "./reply-recovery.ts";

/** What a person says to a call that the gate asks about. */
export interface Approval {
  readonly isAllowed: boolean;
  readonly reason?: string;
}

/** Everything one run works with. What changes while it goes on is in `progress`, `history` and `guard`. */
export class RunContext {
  readonly sessionId!: string;
  readonly runId!: string;
  /** The prompt that the run was begun with, and when that was; perhaps in a process that has ended. */
  readonly title!: string;
  readonly startedAt!: number;
  /** A process that ended has begun it. */
  readonly isResumed!: boolean;
  /** The message to begin with, and whose words it is; undefined where the run goes on from where it was. */
  readonly prompt!: { readonly text: string; readonly origin: Origin } | undefined;
  readonly system!: string;
  readonly workspace!: string;
  readonly settings!: AgentSettings;
  readonly models!: readonly Model[];
  readonly tools!: ToolRegistry;
  /** The tools as the model is told of them. */
  readonly sentTools!: readonly SentTool[];
  readonly gate!: Gate;
  readonly goal?: Goal;
  readonly judge!: Judge;
  readonly guard!: Guard;
  readonly stores!: Stores;
  readonly lease!: Lease;
  /** The session whose budget it works on: its own, or that of the run which started it as a subagent. */
  readonly billingSessionId!: string;
  /** Subagents that are at work. */
  readonly children!: Set<Promise<unknown>>;
  /** Calls that a process which ended has left open. */
  readonly unansweredCalls!: readonly UnansweredCall[];
  /** Gives the subagents of a call, whose process ended with it, an end. What they have used, each. */
  readonly closeChild!: (callId: string) => Promise<readonly ChildSpent[]>;
  readonly history!: History;
  readonly clock!: Clock;
  readonly counter!: TokenCounter;
  readonly budget!: ContextBudget;
  readonly flushWatch!: { isDue(percent: number): boolean };
  readonly outbox!: Outbox;
  /** Aborted when somebody cancels the run. */
  readonly signal!: AbortSignal;
  /** Messages that came in while the run went on. */
  readonly steering!: string[];
  /** Called once it has begun: from now on a person can speak to its guardian. */
  readonly onBegun!: (guard: Guard) => void;
  /** Asks a person; absent where nobody watches. */
  readonly approve?: (call: CallPart, reason: string, signal: AbortSignal) => Promise<Approval>;
  /** What requests cost; null where that is not known. */
  readonly prices!: RunPrices;
  readonly progress!: Progress;

  /** All fields are declared, and so made, in the same order: the shape of all runs is one. */
  constructor(parts: Omit<RunContext, "emit">) {
    Object.assign(this, parts);
  }

  emit(event: AgentEventBody): void {
    this.outbox.emit(isMadeUp(event, this.tools) ? { ...event, tool: redactSecrets(event.tool) } : event);
  }
}

/** A tool that the model has made up; its name may be anything. */
function isMadeUp(
  event: AgentEventBody,
  registry: ToolRegistry,
): event is Extract<AgentEventBody, { readonly type: "ToolUseStart" | "ToolStart" | "ToolEnd" | "ToolBlocked" }> {
  const { type } = event;
  return (
    (type === "ToolUseStart" || type === "ToolStart" || type === "ToolEnd" || type === "ToolBlocked") &&
    registry.find(event.tool) === undefined
  );
}

/** What a run has used and done so far. */
export class Progress {
  /** Turns that are complete. */
  turn!: number;
  /** The prompt is in the history. */
  isAsked!: boolean;
  /** What was sent last in place of the history, and how much of it that stands for; undefined while all of it is sent. */
  view!: { readonly messages: readonly Message[]; readonly covers: number } | undefined;
  /** How large the next request is. */
  contextTokens!: number;
  total!: Usage;
  costNanoUsd!: number | null;
  /** The model that is asked has a price. */
  isPriced!: boolean;
  /** What is spent by all, as far as this run knows. */
  books!: CostTotals;
  /** Requests that were made and are not in the books yet. */
  unsettled!: readonly CostRow[];
  recoveries!: RecoveryCounts;

  constructor(soFar: Progress) {
    Object.assign(this, soFar);
  }
}

const none = {}; // what is kept of them is their shape
keepShape(new RunContext(none as RunContext), new Progress(none as Progress));
