import { createTreeBudget } from "../costs/tree-budget.ts";
import { PLAN_TOOL } from "../director/earlier-plans.ts";
import { createRunEvents } from "../events/run-events.ts";
import { createGate } from "../gate/default-gate.ts";
import { goalGate } from "../goals/goal-gate.ts";
import { attachRunLog } from "../logs/attach-run-log.ts";
import { createInbox } from "../loop/inbox.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { Goal } from "../protocol/goal.ts";
import type { Run } from "../protocol/run.ts";
import type { Tool } from "../tools/tool.ts";
import { policyWithLimits } from "./policy-limits.ts";
import { createRunControls, type RunControls, subagentPolicy } from "./run-controls.ts";
import { executeRun } from "./run-lifecycle.ts";
import type { RunRequest } from "./run-request.ts";
import { runSettings } from "./run-settings.ts";
import type { RuntimeContext } from "./runtime-options.ts";
import type { SubagentRequest } from "./subagents.ts";

/** Starts a run and returns its handle. */
export function startRun(options: RuntimeContext, request: RunRequest): Run {
  const context = withGoalGate(options, request.goal);
  const { bus, clock, log } = context;
  const { sessionId, resumed } = request;
  const runId = resumed?.runId ?? clock.newId("run");
  const ref = { sessionId, runId };
  const cancel = new AbortController();
  const readersEnd = new AbortController();
  const seqBefore = bus.lastSeq(sessionId); // a resumed run may have published events in this process before
  const known = [...(context.tools ?? []), ...(context.changingTools?.() ?? [])];
  const toolNames = new Set([...known.map(({ name }) => name), "spawn", PLAN_TOOL]);
  const events = createRunEvents(bus, ref, { toolNames, redact: context.redact });
  const { limits } = policyWithLimits(context.policy, runSettings(context));
  const controls = createRunControls(limits);
  // A resumed run may turn out to belong to another process: it accepts messages once its session is open.
  const inbox = createInbox(request.prompt, { isOpen: resumed === undefined });
  const tree = context.tree ?? createTreeBudget();
  let closeLog = () => {};

  const result = executeRun(context, {
    request,
    runId,
    events,
    inbox,
    controls,
    cancelled: cancel.signal,
    tree,
    startSubagent: (subagent) =>
      startSubagent(
        { ...(context.childContext ?? context), tree },
        { controls, billingSessionId: sessionId },
        subagent,
      ),
    onOpened() {
      inbox.open();
      if (log !== undefined) closeLog = attachRunLog(bus, { ...log, ...ref });
    },
  }).finally(() => {
    inbox.close();
    readersEnd.abort();
    closeLog();
  });

  return {
    ...ref,
    result,
    cancel: () => cancel.abort(),
    steer(text) {
      if (typeof text !== "string") throw new TypeError(`Expected a message as text, got ${typeof text}.`);
      const counting = inbox.countExactly(text);
      return counting === undefined ? Promise.resolve(inbox.steer(text)) : counting.then(() => inbox.steer(text));
    },
    async steeringProblem(text) {
      await inbox.countExactly(text);
      return inbox.steeringProblem(text);
    },
    control: (control) => inbox.isOpen && !cancel.signal.aborted && controls.apply(control),
    limits: () => controls.limits(),
    nearBudget: () => controls.nearBudget(),
    /** Each reader has its own stream, from the first event as far as the bus stores them. */
    [Symbol.asyncIterator]: (): AsyncIterator<AgentEvent> =>
      bus.stream({ ...ref, afterSeq: seqBefore, signal: readersEnd.signal }),
  };
}

/** Calls of the run and of its subagents have to respect the goal. */
function withGoalGate(context: RuntimeContext, goal: Goal | undefined): RuntimeContext {
  if (goal === undefined) return context;
  const { childContext, gate: given = createGate() } = context;
  const gate = goalGate(given, goal);
  return { ...context, gate, ...(childContext === undefined ? {} : { childContext: { ...childContext, gate } }) };
}

/** Starts a subagent with the options of its parent, reduced to what the request allows. */
function startSubagent(
  context: RuntimeContext,
  parent: { readonly controls: RunControls; readonly billingSessionId: string },
  request: SubagentRequest,
): Run {
  const { tools: allowedTools, models = context.models, maxTurns = 0, depth, reportUsage } = request;
  const { maxTurns: settingsTurns, maxRetries } = runSettings(context);
  const turns = lowerLimit(maxTurns, context.policy.limits.turns?.stop ?? settingsTurns);
  const policy = subagentPolicy(context.policy, parent.controls.limits());
  const isAllowed = ({ name }: Tool) => allowedTools?.includes(name) ?? true;
  const tools = context.tools?.filter(isAllowed);
  const { changingTools } = context;
  const subagent = startRun(
    {
      ...context,
      models,
      ...(tools === undefined ? {} : { tools }),
      ...(changingTools === undefined || allowedTools === undefined
        ? {}
        : { changingTools: () => changingTools().filter(isAllowed) }),
      ...(request.checks === undefined ? {} : { checks: { ...context.checks, ...request.checks } }),
      subagents: context.subagents === true && (allowedTools?.includes("spawn") ?? true),
      settings: { ...context.settings, maxRetries },
      policy: { ...policy, limits: { ...policy.limits, turns: { ...policy.limits.turns, stop: turns } } },
      attended: false,
      depth,
      billingSessionId: context.billingSessionId ?? parent.billingSessionId,
      reportUsage,
    },
    childRequest(request),
  );
  parent.controls.follow(subagent);
  return subagent;
}

/** A new run, the run that a crash interrupted, or a further run after one that was cancelled. */
function childRequest({ sessionId, task, goal, earlier }: SubagentRequest): RunRequest {
  const request = { sessionId, title: task, ...(goal === undefined ? {} : { goal }) };
  const prompt = { text: task, origin: "person" } as const;
  if (earlier === undefined) return { ...request, prompt };
  const { state, isPromptPending } = earlier.run;
  if (state !== "running") return { ...request, prompt: { text: "Continue.", origin: "automatic" } };
  return { ...request, prompt: isPromptPending === true ? prompt : undefined, resumed: earlier.run };
}

/** The lower of two limits; 0 is no limit. */
function lowerLimit(a: number, b: number): number {
  return a === 0 || b === 0 ? Math.max(a, b) : Math.min(a, b);
}
