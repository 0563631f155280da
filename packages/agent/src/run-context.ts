import type { Clock } from "./clock.ts";
import type { ContextBudget, SentTool } from "./context/budget.ts";
import type { TokenCounter } from "./context/count-tokens.ts";
import type { Emit } from "./events.ts";
import type { Gate } from "./gate/gate.ts";
import type { Guard } from "./guard.ts";
import type { History } from "./history.ts";
import type { CallPart, Message, Usage } from "./messages.ts";
import type { Model } from "./provider/model.ts";
import type { Recovered } from "./recoveries.ts";
import type { AgentSettings } from "./settings.ts";
import type { Stores } from "./stores/stores.ts";
import type { Registry } from "./tools/registry.ts";

/** What a person says to a call that the gate asks about. */
export interface Approval {
  readonly isAllowed: boolean;
  readonly reason?: string;
}

/** Everything one run works with. What changes while it goes on is in `progress`, `history` and `guard`. */
export interface RunContext {
  readonly sessionId: string;
  readonly runId: string;
  readonly prompt: string;
  readonly system: string;
  readonly workspace: string;
  readonly settings: AgentSettings;
  readonly models: readonly Model[];
  readonly tools: Registry;
  /** The tools as the model is told of them. */
  readonly sentTools: readonly SentTool[];
  readonly gate: Gate;
  readonly guard: Guard;
  readonly stores: Stores;
  readonly history: History;
  readonly clock: Clock;
  readonly counter: TokenCounter;
  readonly budget: ContextBudget;
  readonly flushWatch: { isDue(percent: number): boolean };
  readonly emit: Emit;
  /** Aborted when somebody cancels the run. */
  readonly signal: AbortSignal;
  /** Messages that came in while the run went on. */
  readonly takeSteering: () => readonly string[];
  /** Asks a person; absent where nobody watches. */
  readonly approve?: (call: CallPart, reason: string, signal: AbortSignal) => Promise<Approval>;
  /** What a request costs; null where that is not known. */
  readonly price: (model: string, usage: Usage) => number | null;
  readonly progress: Progress;
}

/** What a run has used and done so far. */
interface Progress {
  turn: number;
  /** What was sent last, and how much of the history it stands for. */
  view: { readonly messages: readonly Message[]; readonly covers: number };
  total: Usage;
  costNanoUsd: number | null;
  recovered: Recovered;
}
