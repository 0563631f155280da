import {
  createGuardian,
  episodeOf,
  type Guardian,
  type GuardianEvent,
  type Intervention,
  type Policy,
  refusingWords,
} from "@sheepdog/guardian";
import type { HookCall } from "../hook-event.ts";
import type { AgentState, CallState, Message } from "./session-state.ts";

/** Why a call is refused. */
export interface Refusal {
  readonly message: string;
  /** Absent when the run has ended. */
  readonly episode?: string;
}

export interface AgentGuardianOptions {
  readonly policy: Policy;
  /** Whether a person can be asked at this event. */
  readonly attended: boolean;
  /** The agent continues where its run has to end. */
  readonly continues: boolean;
  readonly at: number;
  readonly redact: (text: string) => string;
  readonly emit: (event: GuardianEvent) => void;
}

/** The guardian of one agent during one event, with the calls of its current turn. */
export interface AgentGuardian {
  readonly guardian: Guardian;
  readonly calls: Map<string, CallState>;
  readonly questions: Map<string, string>;
  isTurnOpen: boolean;
  tells: readonly Message[];
  stopSaid: string | undefined;
  refusedAtEnd: number;
  /** Announces a call. */
  plan(call: HookCall): Refusal | undefined;
  /** Messages for the model wait until the agent takes them. */
  endTurn(): void;
  state(): AgentState;
}

/** Continues the guardian of an agent from its state. */
export function openAgent(saved: AgentState, options: AgentGuardianOptions): AgentGuardian {
  const { policy, attended, continues, at, redact, emit } = options;
  const questions = new Map(Object.entries(saved.questions));
  const denials: Intervention[] = [];

  function onEvent(event: GuardianEvent): void {
    emit(event);
    if (event.type !== "intervention") return;
    const { intervention } = event;
    if (intervention.denies !== undefined) denials.push(intervention);
    if (intervention.question !== undefined) questions.set(episodeOf(intervention.id), intervention.question);
  }

  const guardian = createGuardian({
    policy,
    attended,
    redact,
    isOngoing: true,
    now: () => at,
    ...(continues ? { words: refusingWords } : {}),
    emit: onEvent,
    ...(saved.guardian === undefined ? {} : { state: saved.guardian }),
  });

  return {
    guardian,
    calls: new Map(Object.entries(saved.calls)),
    questions,
    isTurnOpen: saved.isTurnOpen,
    tells: saved.tells,
    stopSaid: saved.stopSaid,
    refusedAtEnd: saved.refusedAtEnd ?? 0,
    plan({ id, tool, args, kind }) {
      denials.length = 0;
      const decision = guardian.beforeCall({ id, tool, args, ...(kind === undefined ? {} : { kind }) });
      this.isTurnOpen = true;
      if (decision.allow) return undefined;
      const denial = denials.at(-1);
      return { message: decision.message, ...(denial === undefined ? {} : { episode: episodeOf(denial.id) }) };
    },
    endTurn() {
      const messages = guardian.endTurn().map(({ id, message }) => ({ id, message }));
      this.tells = [...this.tells, ...messages].slice(-MAX_TELLS);
      this.calls.clear();
      this.isTurnOpen = false;
    },
    state() {
      return {
        guardian: guardian.snapshot(),
        calls: Object.fromEntries(this.calls),
        isTurnOpen: this.isTurnOpen,
        tells: this.tells,
        questions: Object.fromEntries([...this.questions].slice(-MAX_QUESTIONS)),
        ...(this.stopSaid === undefined ? {} : { stopSaid: this.stopSaid }),
        ...(this.refusedAtEnd === 0 ? {} : { refusedAtEnd: this.refusedAtEnd }),
      };
    },
  };
}

const MAX_TELLS = 5;
const MAX_QUESTIONS = 20;
