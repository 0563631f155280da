import type { GuardianEvent, Policy, Stop } from "@sheepdog/guardian";
import type { Honours, HookAnswer } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import type { HookEvent } from "../hook-event.ts";
import type { SpoolLine } from "../spool-line.ts";
import type { AgentGuardian } from "./agent-guardian.ts";
import { newResults } from "./apply-event.ts";
import { applyToSession, type SessionApplied } from "./apply-to-session.ts";
import { chooseAnswer } from "./choose-answer.ts";
import { hookPolicy } from "./hook-policy.ts";
import { repeatedAnswer, withAnswered } from "./repeated-event.ts";
import { openAgents, type SessionAgents } from "./session-agents.ts";
import type { SessionState, TurnEnds } from "./session-state.ts";
import type { SessionUsage } from "./session-usage.ts";
import { answerLine, changedLines, eventLines, guardianLine, ignoredLines, turnEndLines } from "./spool-lines.ts";

/** An event, and everything that its answer depends on besides the state. */
export interface HookInput {
  readonly contract: HookContract;
  readonly event: HookEvent;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly policy: Policy;
  /** Whether a person is at the screen. The event may say that they are not asked. */
  readonly attended: boolean;
  /** A mistake of the configuration. */
  readonly problem?: string | undefined;
  /** Removes secrets from what is stored and quoted. */
  readonly redact: (text: string) => string;
  /** Absent if the agent keeps no recording that is understood. */
  readonly usage?: SessionUsage;
}

export interface HookReaction {
  readonly state: SessionState;
  readonly answer: HookAnswer;
  /** What the spool gets. */
  readonly lines: readonly SpoolLine[];
}

/** Answers one event of an attached agent. Pure: the same events always give the same answers. */
export function answerHook(state: SessionState, input: HookInput): HookReaction {
  const { contract, at, redact, usage } = input;
  const repeated = repeatedAnswer(state.answered, input.event, at);
  if (repeated !== undefined) return { state, answer: repeated, lines: [] };
  const rules = rulesFor(state, input);
  const { problem } = input;
  const isSaid = problem === state.problemSaid && input.event.type !== "session-start";
  const newProblem = problem === undefined || isSaid ? [] : [problem];
  const decided: SpoolLine[] = newProblem.map((sentence) => ({ at, type: "problem", sentence }));
  const notices = [...newProblem, ...(state.notices ?? [])];
  const agents = openAgents(state, {
    ...rules,
    at,
    redact,
    emit(guardianEvent, subagent) {
      decided.push(...guardianLine(guardianEvent, { at, subagent, isObserving: rules.isObserving }));
      notices.push(...noticesFor(guardianEvent));
    },
  });
  const agent = agents.open(input.event.subagent ?? "");
  const event = newResults(input.event, agent, rules.turnEnds);
  const happened = eventLines(event, agent, { at, redact });
  const applied = applyToSession(agents, event, { ...rules, state, usage });
  const answer = answerFor({ event, agents, agent, rules, applied, notices, contract });
  const changed = changedLines(state, { event, at, agent: contract.agent, mode: rules.policy.mode, usage });
  return {
    answer,
    lines: [
      ...changed.session,
      ...withTurnEnd(happened, applied, turnEndLines(event, at)),
      ...changed.usage,
      ...decided,
      ...ignoredLines(applied.ignoredRefusal, event, at),
      ...answerLine(event, answer, at),
    ],
    state: {
      version: 1,
      agents: agents.states(event.type === "subagent-end" ? event.id : undefined),
      answered: withAnswered(state.answered, input.event, { at, answer }),
      turnEnds: applied.turnEnds ?? state.turnEnds,
      ...changed.said,
      ...usageAtPrompt(applied.usageAtPrompt),
      ...(problem === undefined ? {} : { problemSaid: problem }),
      ...(isHeadless(state, input) ? { isHeadless: true } : {}),
      ...(notices.length === 0 || answer.notify !== undefined ? {} : { notices: notices.slice(-MAX_NOTICES) }),
    },
  };
}

/** What holds at one event. */
interface Rules {
  readonly policy: Policy;
  readonly isObserving: boolean;
  readonly honours: Honours;
  readonly attended: boolean;
  readonly continues: boolean;
  /** A refusal is a question to a person. */
  readonly asks: boolean;
  readonly turnEnds: TurnEnds;
}

function rulesFor(state: SessionState, input: HookInput): Rules {
  const { contract, event } = input;
  const policy = hookPolicy(input.policy);
  const isObserving = policy.mode === "observe";
  const isAtScreen = !isHeadless(state, input);
  const honours = contract.honours(event, isAtScreen);
  const attended = isAtScreen && event.asksNobody !== true;
  const continues = contract.continues === "always" || (contract.continues === "attended" && isAtScreen);
  const asks = attended && honours.ask && !isObserving;
  return {
    ...{ policy, isObserving, honours, attended, continues, asks },
    turnEnds: contract.turnEnd === "last-result" ? "last-result" : state.turnEnds,
  };
}

/** Subagents have recordings of their own, which may not say it. */
function isHeadless(state: SessionState, { event, attended }: HookInput): boolean {
  return !attended || (event.subagent !== undefined && state.isHeadless === true);
}

interface AnswerParts {
  readonly event: HookEvent;
  readonly agents: SessionAgents;
  readonly agent: AgentGuardian;
  readonly rules: Rules;
  readonly applied: SessionApplied;
  readonly notices: readonly string[];
  readonly contract: HookContract;
}

function answerFor({ event, agents, agent, rules, applied, notices, contract }: AnswerParts): HookAnswer {
  if (rules.isObserving) return observe(agent, agents.main, rules.policy);
  const { honours, asks } = rules;
  const stop = agent.guardian.stop ?? moneyStop(agents.main);
  const answer = chooseAnswer(agent, { event, honours, refusal: applied.refusal, stop, asks, contract });
  return { ...answer, ...noticePart(notices, answer, honours) };
}

function withTurnEnd(
  happened: readonly SpoolLine[],
  { turnEnded }: SessionApplied,
  turnEnd: readonly SpoolLine[],
): readonly SpoolLine[] {
  if (turnEnded === undefined) return happened;
  return turnEnded === "before" ? [...turnEnd, ...happened] : [...happened, ...turnEnd];
}

/** Money belongs to the whole session: what has ended the main agent ends its subagents. */
function moneyStop({ guardian }: AgentGuardian): Stop | undefined {
  return guardian.stop?.reason.endsWith("budget") ? guardian.stop : undefined;
}

/** Answers nothing. A limit that was reached is reported once and ends nothing. */
function observe(agent: AgentGuardian, { guardian }: AgentGuardian, { limits }: Policy): HookAnswer {
  agent.tells = [];
  if (guardian.stop !== undefined)
    for (const limit of Object.keys(limits) as (keyof typeof limits)[])
      guardian.observe({ type: "limit", limit, stop: 0 });
  return {};
}

/** Messages for the user that wait for an event at which the agent shows them. */
const MAX_NOTICES = 5;

/** A message that is for the user only. */
function noticesFor(event: GuardianEvent): readonly string[] {
  if (event.type !== "intervention") return [];
  const { isForUser, isApplied, message } = event.intervention;
  return isForUser === true && isApplied ? [message] : [];
}

function noticePart(
  notices: readonly string[],
  { notify, deny }: HookAnswer,
  honours: Honours,
): Pick<HookAnswer, "notify"> {
  const isShown = honours.notify === true || (honours.notify === "with-deny" && deny !== undefined);
  const all = [...(notify === undefined ? [] : [notify]), ...notices];
  return all.length > 0 && isShown ? { notify: `Sheepdog: ${all.join(" ")}` } : {};
}

function usageAtPrompt(totals: SessionState["usageAtPrompt"]): Pick<SessionState, "usageAtPrompt"> {
  if (totals === undefined) return {};
  const { tokens, costNanoUsd } = totals;
  return { usageAtPrompt: { tokens, costNanoUsd } };
}
