import type {
  CallDecision,
  GuardianState,
  Intervention,
  LimitName,
  OpinionRequest,
  Origin,
  Policy,
  Reserve,
  SignalInput,
  SignalOf,
  Stop,
} from "@sheepdog/guardian";
import type { Clock } from "../protocol/clock.ts";
import type { Emit } from "../protocol/events.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import type { ControlToContinue, RunControl } from "../protocol/run-control.ts";
import type { RunQuestion } from "../protocol/run-question.ts";
import type { Redact } from "../secrets/redact.ts";
import type { MoneyLimits } from "../stores/stores.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";

/**
 * The guardian of a run: the only way to send it signals. A decision about something in flight is applied here: the
 * request, or everything, is aborted. After signals that the loop sends between two activities (calls, results, a
 * verdict, the end of a turn, the run's own usage) nothing is in flight, and the loop checks `stop`.
 */
export interface Guard {
  /** All interventions of this run. */
  readonly interventions: readonly Intervention[];
  /** Set once the run has to end. */
  readonly stop: Stop | undefined;
  /** Aborted when the guardian ends the run while something is in flight, or when the run is cancelled. */
  readonly signal: AbortSignal;
  observe(signal: SignalInput): readonly Intervention[];
  beforeCalls(calls: readonly CallPart[]): readonly CallDecision[];
  afterCalls(results: readonly ResultMessage[]): void;
  onUserMessage(origin: Origin): void;
  /** A reply without calls. */
  onReply(text: string, stop: SignalOf<"reply">["stop"]): void;
  /** A part of a streamed reply. `interrupt` is the number of repeated characters to cut off. */
  onDelta(channel: SignalOf<"delta">["channel"], text: string): "continue" | { readonly interrupt: number };
  /** Ends the turn and returns the notices for the model. */
  endTurn(): readonly Intervention[];
  /** The signal for one request, also aborted when the guardian wants this request retried. */
  requestSignal(): AbortSignal;
  /** The signal for one answer of a gate, a guard or a judge, also aborted before the user is asked about a stop. */
  decisionSignal(): AbortSignal;
  /** Whether little is left of the tokens or the money. */
  nearBudget(): boolean;
  /** Whether little is left of the run's own tokens or money. */
  isRunNearBudget(): boolean;
  /** The money limits in force. */
  moneyLimits(): MoneyLimits;
  /** All limits in force: those of the policy, and those that the user changed. A limit that is off is absent. */
  limits(): Policy["limits"];
  /** One limit in force, in nano-dollars or in its own unit; 0 if there is none. */
  limitOf(name: LimitName): number;
  /** How long the run has worked, without waits for the user. */
  workMs(): number;
  /** The cost of the run and its subagents in nano-dollars; null when a price is unknown. */
  costWithSubagents(): number | null;
  /** Limits that the user changed during the run. */
  changedLimits(): Policy["limits"];
  /** Whether to ask the user before an intervention takes effect. Each episode is asked about once. */
  shouldAsk(intervention: Intervention): boolean;
  /** The intervention that ends the run, if the user has to be asked before. */
  stopToAskAbout(): Intervention | undefined;
  /** Notes that the user was asked about the episode of an intervention. */
  markAsked(intervention: Intervention): void;
  /** Applies a change by the user, and publishes it. */
  applyControl(control: RunControl): void;
  /** The change that lets the run continue in spite of an intervention. */
  controlToContinue(intervention: Intervention): ControlToContinue;
  /** Lets the run continue with a message of the user, which closes the episode once the model reads it. */
  continueWithMessage(question: RunQuestion): void;
  /** Whether the user ended the run when asked about an intervention. */
  readonly isEndedByUser: boolean;
  /** Ends the run because the user does not let it continue after an intervention. */
  endByUser(intervention: Intervention): void;
  snapshot(): GuardianState;
  /** Ends the run because the runtime itself cannot continue. */
  fail(message: string): void;
  close(): void;
}

export interface GuardOptions {
  /** Removes secrets from what messages quote; default: those with a known form. */
  readonly redact?: Redact;
  readonly policy: Policy;
  readonly run: string;
  readonly attended: boolean;
  /** Whether the user can be asked how the run continues. */
  readonly canAsk: boolean;
  readonly tools: Pick<ToolRegistry, "all" | "find">;
  readonly state?: GuardianState;
  /** The rest of a budget that counts as little. */
  readonly reserve?: Reserve;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Called when the guardian wants a second opinion. Answered with the signal `opinion`; default: not at all. */
  readonly onOpinionWanted?: (request: OpinionRequest) => void;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
}
