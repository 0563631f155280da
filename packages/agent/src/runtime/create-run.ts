import { systemWithGoal } from "../context/goal-focus.ts";
import { spendingByPurpose, spendingOfRun } from "../costs/ledger-spending.ts";
import { runPrices } from "../costs/run-prices.ts";
import { createSpending } from "../costs/spending.ts";
import { PLAN_TOOL } from "../director/earlier-plans.ts";
import { readPlan } from "../director/plan-input.ts";
import { createGate } from "../gate/default-gate.ts";
import { createGoalJudge } from "../goals/goal-judge.ts";
import { createGuard } from "../guard/run-guardian.ts";
import type { AgentRun, RunSetup } from "../loop/agent-run.ts";
import { saveEvents } from "../loop/commit-turn.ts";
import { createJudgeModel } from "../loop/judge-model.ts";
import { createRunChanges } from "../loop/run-changes.ts";
import { createRunTools } from "../loop/run-tools.ts";
import { createSecondOpinion } from "../loop/second-opinion.ts";
import { createWrittenFiles, type WrittenByCall } from "../loop/written-files.ts";
import type { Emit } from "../protocol/events.ts";
import type { CallPart } from "../protocol/messages.ts";
import { tokensOf } from "../protocol/usage.ts";
import type { Model } from "../provider/model.ts";
import { requestModel } from "../provider/model-request.ts";
import { createAuditTrail } from "../safety/audit-trail.ts";
import { closeOrphanedSession, type SubagentSpending } from "../session/close-orphaned-run.ts";
import { createHistory } from "../session/history.ts";
import type { OpenSession } from "../session/open-session.ts";
import { createSessionWriter } from "../session/session-writer.ts";
import { nodeSessionId, subagentSessionId } from "../session/subagent-session-id.ts";
import type { AuditStore, CostRow, SavedRun } from "../stores/stores.ts";
import { spawnTool } from "../tools/spawn-tool.ts";
import { askForFittingAnswer } from "./fitting-answers.ts";
import { policyWithLimits } from "./policy-limits.ts";
import { createRunDirector } from "./run-director.ts";
import type { StartedRun } from "./run-request.ts";
import { runSettings } from "./run-settings.ts";
import type { RuntimeContext } from "./runtime-options.ts";
import { createSpawner } from "./subagents.ts";

const defaultSystem = "You are an agent that works with tools. Work step by step, and say when you are done.";

/** Creates a run from the options, the request and the saved session. */
export async function createRun(
  context: RuntimeContext,
  started: StartedRun,
  { lease, saved }: OpenSession,
): Promise<AgentRun> {
  const { stores, clock } = context;
  const { request, runId, events, inbox, cancelled } = started;
  const { sessionId, resumed } = request;
  const settings = runSettings(context);
  const billingSessionId = context.billingSessionId ?? sessionId;
  const emit: Emit = (event) => events.emit(event);

  const spawner = createSpawner({
    guard: () => guard,
    emit,
    depth: context.depth,
    start: started.startSubagent,
    reportUsage: context.reportUsage,
  });
  const history = createHistory(saved.checkpoint?.runId === runId ? saved.checkpoint : undefined);
  const startedAt = resumed?.startedAt ?? clock.now();
  const director = createRunDirector(context, {
    request,
    run: { sessionId, runId, startedAt, billingSessionId },
    promptedAt: promptedAt(saved.runs, { prompt: context.redact(request.title), startedAt }),
    settings,
    spawner,
    history,
    guard: () => guard,
    emit,
    save: () => saveEvents({ events, writer }),
  });
  const tools = await createRunTools(
    [
      ...(context.tools ?? []),
      ...(context.subagents ? [spawnTool(spawner.spawn)] : []),
      ...(director === undefined ? [] : [director.tool]),
    ],
    context.changingTools,
  );
  const judge = context.judge ?? createGoalJudge();
  const setup: RunSetup = {
    sessionId,
    runId,
    billingSessionId,
    settings,
    policy: policyWithLimits(context.policy, settings),
    isAttended: context.attended,
    tools,
    clock,
    redact: context.redact,
    maskValues: context.maskValues,
    cancelled,
    title: request.title,
    startedAt,
    ...(context.spec === undefined || context.depth > 0 ? {} : { spec: context.spec }),
    isResumed: resumed !== undefined,
    ...(request.goal === undefined ? {} : { goal: request.goal }),
    ...(director === undefined ? {} : { isDirected: true, turnPurpose: "plan" }),
    system: systemWithGoal(context.system ?? defaultSystem, request.goal),
    workspace: context.workspace ?? process.cwd(),
    models: context.models,
    opinionModels: opinionModels(context),
    requestModel,
    gate: context.gate ?? createGate(),
    judge: director?.judge(judge) ?? judge,
    judgeModels: context.judgeModel === undefined ? context.models : [context.judgeModel],
    checks: context.checks ?? {},
    ...(context.bash === undefined ? {} : { bash: context.bash }),
    ...(context.attended && context.approve !== undefined ? { approve: context.approve } : {}),
    ...(context.answerTimeoutMs === undefined ? {} : { answerTimeoutMs: context.answerTimeoutMs }),
    ...(context.attended && context.askAboutRun !== undefined
      ? { askAboutRun: askForFittingAnswer(context.askAboutRun, inbox) }
      : {}),
    unansweredCalls: saved.unansweredCalls,
  };

  const writer = createSessionWriter({ sessions: stores.sessions, lease, history, clock, redact: context.redact });
  const audit = createAuditTrail({
    sessionId,
    runId,
    clock,
    writer,
    workspace: setup.workspace,
    canAsk: setup.approve !== undefined,
    redact: context.redact,
    lessons: stores.lessons,
    emit,
  });
  const prices = await runPrices(context.price, [...context.models, ...setup.opinionModels, ...setup.judgeModels], {
    clock,
    onProblem: (model, problem) => emit({ type: "ProviderWarning", model, problem }),
  });
  const totals = await stores.costs.totals(billingSessionId, clock.now());
  const rows = resumed === undefined ? [] : await stores.costs.rows(billingSessionId);
  const spent = spendingOfRun(runId, rows);
  if (context.tree === undefined)
    for (const { costNanoUsd, usage, purpose } of rowsOfTree(rows, {
      runId,
      startedAt,
      isPayer: billingSessionId === sessionId,
    }))
      started.tree.settle("", { nanoUsd: costNanoUsd ?? 0, tokens: tokensOf(usage) }, purpose);
  const written = saved.messages.length === 0 ? [] : await writtenEarlier(stores.audit, sessionId);
  // Created last, since it starts a timer.
  const guard = createGuard({
    policy: setup.policy,
    run: runId,
    attended: setup.isAttended,
    canAsk: setup.askAboutRun !== undefined,
    tools,
    clock,
    redact: context.redact,
    emit,
    onOpinionWanted: (request) => secondOpinion.ask(request),
    signal: cancelled,
    reserve: { reserveTokens: settings.reserveTokens, reserveCostFraction: settings.reserveCostFraction },
    ...(saved.checkpoint === undefined ? {} : { state: saved.checkpoint.guardian }),
  });
  const spending = createSpending({
    runId,
    billingSessionId,
    ledger: stores.costs,
    isStreamed: settings.stream,
    prices,
    writer,
    guard,
    emit,
    clock,
    spent,
    spentByPurpose: spendingByPurpose(runId, rows),
    totals,
    tree: started.tree,
  });
  const writtenFiles = createWrittenFiles(written);
  const secondOpinion = createSecondOpinion({ setup, history, spending, guard, events });

  async function closeOrphaned(call: CallPart): Promise<readonly SubagentSpending[]> {
    const spendings = [];
    for (const childId of startedSessions(call, { sessionId, runs: saved.runs }))
      spendings.push(...(await closeOrphanedSession({ ...context, billingSessionId }, childId)));
    return spendings;
  }

  return {
    setup,
    history,
    spending,
    guard,
    events,
    writer,
    audit,
    inbox,
    subagents: { settled: spawner.settled, closeOrphaned },
    secondOpinion,
    judgeModel: createJudgeModel({ setup, history, spending, guard, events }),
    writtenFiles,
    changes: createRunChanges({ setup, history, writtenFiles }),
    guards: [...(context.guards ?? [])],
  };
}

/** The files that earlier runs of the session wrote, except by calls that the user refused. */
async function writtenEarlier(audit: AuditStore, sessionId: string): Promise<readonly WrittenByCall[]> {
  const entries = await audit.list({ sessionId });
  return entries.flatMap(({ callId, decision, approval, writtenFiles = [] }) =>
    decision === "allow" || approval?.isAllowed === true ? [{ callId, paths: writtenFiles }] : [],
  );
}

/** When the work on a prompt began: in this run, or in earlier ones with the same prompt that were stopped. */
function promptedAt(
  runs: readonly SavedRun[],
  { prompt, startedAt }: { readonly prompt: string; readonly startedAt: number },
): number {
  const otherIndex = runs.findLastIndex((run) => run.prompt !== prompt || run.state === "completed");
  return runs[otherIndex + 1]?.startedAt ?? startedAt;
}

/** The sessions that a call may have started: that of a subagent, or those of the nodes of a plan. */
function startedSessions(
  { id, tool, input }: CallPart,
  { sessionId, runs }: { readonly sessionId: string; readonly runs: readonly SavedRun[] },
): readonly string[] {
  if (tool === "spawn") return runs.map(({ runId }) => subagentSessionId({ sessionId, runId }, id));
  const read = tool === PLAN_TOOL ? readPlan(input) : undefined;
  return read?.ok === true ? read.plan.nodes.map((node) => nodeSessionId(sessionId, id, node.id)) : [];
}

/** What a resumed run and its subagents spent before: runs of a session follow one another, so it is all since then. */
function rowsOfTree(
  rows: readonly CostRow[],
  { runId, startedAt, isPayer }: { readonly runId: string; readonly startedAt: number; readonly isPayer: boolean },
): readonly CostRow[] {
  return rows.filter((row) => row.runId === runId || (isPayer && row.at >= startedAt));
}

function opinionModels({ models, secondOpinionModel }: RuntimeContext): readonly Model[] {
  return secondOpinionModel === undefined ? models : [secondOpinionModel];
}
