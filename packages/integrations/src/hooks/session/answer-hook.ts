import type { GuardianEvent, Policy, Stop } from "@sheepdog/guardian";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import type { HookEvent } from "../hook-event.ts";
import type { SpoolLine } from "../spool-line.ts";
import { type AgentGuardian, openAgent } from "./agent-guardian.ts";
import { applyEvent } from "./apply-event.ts";
import { chooseAnswer } from "./choose-answer.ts";
import { hookPolicy } from "./hook-policy.ts";
import { repeatedAnswer, withAnswered } from "./repeated-event.ts";
import { type AgentState, initialAgent, type SessionState } from "./session-state.ts";
import { type SessionUsage, usageSignal } from "./session-usage.ts";
import { answerLine, eventLines, guardianLine, sessionLine, usageLine } from "./spool-lines.ts";

/** An event, and everything that its answer depends on besides the state. */
export interface HookInput {
  readonly contract: HookContract;
  readonly event: HookEvent;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly policy: Policy;
  /** Whether a person can be asked. The event may say that nobody can. */
  readonly attended: boolean;
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
  const { contract, event, at, redact, usage } = input;
  const repeated = repeatedAnswer(state.answered, event, at);
  if (repeated !== undefined) return { state, answer: repeated, lines: [] };
  const policy = hookPolicy(input.policy);
  const isObserving = policy.mode === "observe";
  const honours = contract.honours(event);
  const attended = input.attended && event.asksNobody !== true;
  const asks = attended && honours.ask && !isObserving;
  const owner = event.subagent ?? "";
  const decided: SpoolLine[] = [];
  const notices: string[] = [];

  const open = (id: string): AgentGuardian => {
    const subagent = id === "" ? undefined : id;
    return openAgent(savedAgent(state, id) ?? initialAgent, {
      policy,
      attended,
      at,
      redact,
      emit(guardianEvent) {
        decided.push(...guardianLine(guardianEvent, { at, subagent, isObserving }));
        notices.push(...noticesFor(guardianEvent));
      },
    });
  };

  const agent = open(owner);
  const main = owner === "" ? agent : open("");
  const happened = eventLines(event, { at, redact, calls: agent.calls });
  const turnEnds = contract.turnEnd === "last-result" ? "last-result" : state.turnEnds;
  const isNewRun = event.type === "prompt" && event.origin === "person";
  const usageAtPrompt = isNewRun ? usage : state.usageAtPrompt;
  const observeUsage = () => usage && main.guardian.observe(usageSignal(usage, usageAtPrompt));
  if (!isNewRun) observeUsage();
  const applied = applyEvent(agent, event, { turnEnds, asks });
  if (isNewRun) observeUsage();
  const others = isNewRun ? openOthers(state, owner, open) : [];
  for (const [, other] of others) applyEvent(other, event, { turnEnds, asks });
  if (event.type === "subagent-end") endSubagent(main, open(event.id), event.id);
  const stop = agent.guardian.stop ?? moneyStop(main);
  if (isObserving) continueAfterLimits(main, policy);
  const answer = isObserving
    ? {}
    : {
        ...chooseAnswer(agent, {
          event,
          honours,
          refusal: applied.refusal,
          stop,
          asks,
          label: contract.label,
        }),
        ...(notices.length > 0 && honours.notify ? { notify: `Sheepdog: ${notices.join(" ")}` } : {}),
      };
  if (isObserving) agent.tells = [];

  const session = sessionLine(event, at, {
    agent: contract.agent,
    mode: policy.mode,
    model: event.model ?? usage?.model,
  });
  const described = JSON.stringify({ ...session, at: 0 });
  const used = usage === undefined ? undefined : usageLine(usage, at);
  const usageSaid = used === undefined ? state.usageSaid : JSON.stringify({ ...used, at: 0 });
  const agents = Object.entries({
    ...state.agents,
    ...Object.fromEntries(others.map(([id, other]) => [id, other.state()])),
    "": main.state(),
    [owner]: agent.state(),
  });
  return {
    answer,
    lines: [
      ...(described === state.described ? [] : [session]),
      ...happened,
      ...(used === undefined || usageSaid === state.usageSaid ? [] : [used]),
      ...decided,
      ...(applied.ignoredRefusal === undefined ? [] : [ignoredLine(applied.ignoredRefusal, event, at)]),
      ...answerLine(event, answer, at),
    ],
    state: {
      version: 1,
      agents: newestAgents(agents, event.type === "subagent-end" ? event.id : undefined),
      answered: withAnswered(state.answered, event, { at, answer }),
      described,
      turnEnds: applied.turnEnds ?? state.turnEnds,
      ...(usageAtPrompt === undefined
        ? {}
        : { usageAtPrompt: { tokens: usageAtPrompt.tokens, costNanoUsd: usageAtPrompt.costNanoUsd } }),
      ...(usageSaid === undefined ? {} : { usageSaid }),
    },
  };
}

/** An id may be a name that every object has, such as "constructor". */
function savedAgent({ agents }: SessionState, id: string): AgentState | undefined {
  return Object.hasOwn(agents, id) ? agents[id] : undefined;
}

/** A prompt of a person starts a new run of every agent of the session. */
function openOthers(
  { agents }: SessionState,
  owner: string,
  open: (id: string) => AgentGuardian,
): readonly (readonly [string, AgentGuardian])[] {
  return Object.keys(agents)
    .filter((id) => id !== owner && id !== "")
    .map((id) => [id, open(id)]);
}

function endSubagent(main: AgentGuardian, subagent: AgentGuardian, id: string): void {
  main.guardian.observe({ type: "child-end", id, depth: 1, findings: subagent.guardian.findings() });
}

/** Money belongs to the whole session: what has ended the main agent ends its subagents. */
function moneyStop({ guardian }: AgentGuardian): Stop | undefined {
  return guardian.stop?.reason.endsWith("budget") ? guardian.stop : undefined;
}

/** Where the agent is only observed, a limit that was reached is reported once and ends nothing. */
function continueAfterLimits({ guardian }: AgentGuardian, { limits }: Policy): void {
  if (guardian.stop === undefined) return;
  for (const limit of Object.keys(limits) as (keyof typeof limits)[])
    guardian.observe({ type: "limit", limit, stop: 0 });
}

/** A message that is for the user only. */
function noticesFor(event: GuardianEvent): readonly string[] {
  if (event.type !== "intervention") return [];
  const { isForUser, isApplied, message } = event.intervention;
  return isForUser === true && isApplied ? [message] : [];
}

function ignoredLine(tool: string, { subagent }: HookEvent, at: number): SpoolLine {
  const sentence = `a call to ${tool} was made although it was refused: the agent did not honour the answer`;
  return { at, ...(subagent === undefined ? {} : { subagent }), type: "problem", sentence };
}

/** Subagents whose end was not reported are forgotten first. */
const MAX_AGENTS = 12;

function newestAgents(
  agents: readonly (readonly [string, AgentState])[],
  ended: string | undefined,
): Readonly<Record<string, AgentState>> {
  const live = agents.filter(([id]) => id !== ended);
  const subagents = live.filter(([id]) => id !== "").slice(1 - MAX_AGENTS);
  return Object.fromEntries([...live.filter(([id]) => id === ""), ...subagents]);
}
