import { callsOf, textOf } from "../protocol/messages.ts";
import type { RunResult } from "../protocol/result.ts";
import type { SavedSession } from "../stores/stores.ts";
import { admitCalls } from "./admit-calls.ts";
import type { AgentRun } from "./agent-run.ts";
import { answerTurn } from "./answer-turn.ts";
import { appendSteering, appendTurnNotices, continueAfterStop } from "./append-messages.ts";
import { decideNotices, decideStop } from "./ask-user.ts";
import { commitTurn, completeTurn } from "./commit-turn.ts";
import { compactContext, countTokens } from "./compact-context.ts";
import { appendResults, executeAdmitted } from "./execute-admitted.ts";
import { type Finish, finishByGuard, finishCancelled } from "./finish.ts";
import { finishRun } from "./finish-run.ts";
import { flushMemory } from "./flush-memory.ts";
import { judgeTurn } from "./judge-turn.ts";
import { buildContext, type PromptContext } from "./prompt-context.ts";
import { savePrompt } from "./save-prompt.ts";
import { streamReply } from "./stream-reply.ts";

export interface LoopStart {
  readonly saved: Pick<SavedSession, "messages">;
  /** Called once the start of the run is saved: from then on it can be controlled. */
  readonly onStarted: () => void;
}

/**
 * One run: the model reasons and acts in turns until it answers, or the run has to end. Control flow only: the numbers
 * are the steps of docs/architecture.md, and every step is a function in a file of its own.
 */
export async function loop(run: AgentRun, { saved, onStarted }: LoopStart): Promise<RunResult> {
  run.history.load(saved.messages); // 1 load the session history
  const context = buildContext(run); // 3 build the context, before the user can be asked in step 2
  await savePrompt(run, onStarted); // 2 append the user message
  const finish = await runTurns(run, context); // 4 to 16
  return finishRun(run, finish); // 17 emit RunComplete
}

async function runTurns(run: AgentRun, context: PromptContext): Promise<Finish> {
  run.spending.reportUsage();
  for (;;) {
    const stopped = await preflight(run);
    if (stopped !== undefined) return stopped;
    run.events.emit({ type: "TurnStarted", turn: run.history.turn });
    await run.setup.tools.refresh(); // servers may have come or gone

    const use = countTokens(run, context); // 4 count tokens
    await flushMemory(run, context, use); // 14 flush the memory, before compaction removes what could be saved
    const fitted = await compactContext(run, context); // 5 compact at 85 %
    const reply = await streamReply(run, context, fitted); // 6 stream the reply
    if (reply.type === "finish") return reply;
    if (reply.type === "retry") continue;

    const calls = reply.message.stop === "calls" ? callsOf(reply.message) : []; // 7 collect the calls
    if (calls.length === 0) {
      const answer = await answerTurn(run, reply.message); // 8 no calls: an answer, also after steps 13, 12, 15 and 16
      if (answer.type === "finish") return answer;
      continue;
    }

    const admission = await admitCalls(run, calls); // 9 ask the guardian and the gate
    const results = await executeAdmitted(run, calls, admission); // 10 execute, in parallel where independent
    appendResults(run, calls, results); // 11 append the results
    appendTurnNotices(run, await decideNotices(run)); // 12 append the guardian's notices, after asking the user
    const judged = await judgeTurn(run, { output: textOf(reply.message), isAnswer: false }); // 13 judge the turn
    const isSteered = appendSteering(run);
    const turnEvents = completeTurn(run);
    if (judged.type === "finish" && !isSteered) return { ...judged, turnEvents };
    await commitTurn(run, turnEvents); // 15 save the checkpoint, 16 record the costs
  }
}

/** Before each turn: was the run cancelled, or does a limit or a detector end it? A user who watches is asked first. */
async function preflight(run: AgentRun): Promise<Finish | undefined> {
  while (await decideStop(run)) continueAfterStop(run);
  return run.setup.cancelled.aborted ? finishCancelled(run) : finishByGuard(run);
}
