import { homedir } from "node:os";
import type { CallItem, Item } from "@sheepdog/agent/timeline";
import { defaultPolicy } from "@sheepdog/guardian";
import type { PriceOverrides } from "@sheepdog/records";
import { loadConfigOrReport } from "../../config/load-config-or-report.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { agentLabel } from "../../look-back/agent-label.ts";
import type { AttachedSession } from "../../look-back/attached/attached-sessions.ts";
import { findAttachedSessions } from "../../look-back/attached/find-attached-sessions.ts";
import { type FoundRecordedRun, findRecordedRun, readRecordedRun } from "../../look-back/find-recorded-run.ts";
import { recordedRunSummary } from "../../look-back/recorded-run-summary.ts";
import { noRequests } from "../../look-back/scan/file-facts.ts";
import { programName } from "../../program-name.ts";
import { callIdOf, recordedEvents } from "../../recordings/recorded-events.ts";
import { callMs } from "../../recordings/recorded-times.ts";
import { withDiff } from "../../render/diff/call-diff.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { marksFor } from "../../render/timeline/marks.ts";
import { runItems } from "../../render/timeline/run-items.ts";
import { interventionHistory, type NumberedCall, noticeEffect } from "../../saved-runs/notice-effect.ts";
import type { ResumeContext } from "../../saved-runs/resume-command.ts";
import { showDocument } from "./show-document.ts";
import { type RunDetails, showText } from "./show-text.ts";
import { turnCosts } from "./turn-costs.ts";

/** How a recorded run is printed. */
interface RecordingOptions {
  readonly json?: boolean;
  readonly full?: boolean;
  readonly mermaid?: boolean;
}

/**
 * Prints a run that another agent recorded, with what the guardian would have said, or a session of an attached agent,
 * with what it did.
 */
export async function showRecording(
  idStart: string,
  options: RecordingOptions,
  io: Io,
  attached?: AttachedSession,
): Promise<number> {
  if (options.mermaid) {
    await writeMessage(io, "--mermaid draws the plan of a director, and a recorded run has none; leave it out");
    return exitCode.usage;
  }
  const loaded = await loadConfigOrReport(io);
  if (loaded === undefined) return exitCode.usage;
  const search = {
    machine: { env: io.env, homeFolder: io.env["HOME"] ?? homedir(), platform: process.platform },
    cacheFile: resolveHome(io.env).lookBackCache,
    policy: defaultPolicy,
    priceOverrides: loaded.config.budget.pricing_overrides as PriceOverrides, // the schema allows numbers only
  };
  const found =
    attached === undefined
      ? await findRecordedRun(idStart, search)
      : await readRecordedRun({ ...attached, copies: noRequests }, search);
  if (!found.ok) {
    await writeMessage(io, plainText(found.problem));
    return exitCode.usage;
  }
  const here = { cwd: io.cwd, config: loaded.config, program: programName(io.env) };
  const details = recordingDetails(found, here, await attachedSessionOf(found, io));
  await write(io.stdout, `${options.json ? jsonText(showDocument(details)) : await text(details, options, io)}\n`);
  return exitCode.done;
}

async function text(details: RunDetails, { full = false }: RecordingOptions, { stdout, env }: Io): Promise<string> {
  const layout = { style: styleFor(stdout, env), width: columnsOf(stdout, env), marks: marksFor(env), isFull: full };
  const items = await Promise.all(details.items.map(withDiff));
  return showText({ ...details, items }, layout).join("\n");
}

/** The session in which hooks recorded the run beside the agent; undefined if they did not. */
async function attachedSessionOf(
  { recording, run }: Extract<FoundRecordedRun, { ok: true }>,
  io: Io,
): Promise<string | undefined> {
  if (recording.guardian !== undefined) return undefined;
  const sessions = await findAttachedSessions(run.recordedId, resolveHome(io.env));
  return sessions.find(({ sessionId }) => sessionId === run.recordedId)?.sessionId;
}

/** The recording in the form of a run: with the same events, of which the guardian's are hypothetical. */
function recordingDetails(
  { recording, run }: Extract<FoundRecordedRun, { ok: true }>,
  here: ResumeContext,
  attachedSession: string | undefined,
): RunDetails {
  const prompt = run.task ?? "";
  const model = run.model ?? undefined;
  const startedAt = run.startedAt ?? 0;
  const { interventions } = run.report;
  const { id } = run;
  const isAttached = recording.guardian !== undefined;
  const { events, totals } = recordedEvents({
    id,
    recording,
    startedAt,
    prompt,
    model,
    policyName: defaultPolicy.name,
    interventions,
  });
  const savedRun = recordedRunSummary({
    id,
    recording,
    prompt,
    model,
    startedAt,
    endedAt: run.endedAt,
    workspace: run.folder,
    events,
    totals,
    interventions: interventions.length,
    now: Date.now(),
  });
  const recordedCalls = recording.steps.flatMap((step) => step.calls);
  const calls = recordedCalls.map(
    ({ name, args }, index): NumberedCall => ({ id: callIdOf(index), tool: name, input: args }),
  );
  const messages = new Map(events.flatMap((each) => (each.type === "UserMessage" ? [[each.seq, each.text]] : [])));
  const untimed = new Set(
    recordedCalls.flatMap((call, index) => (callMs(call) === undefined ? [callIdOf(index)] : [])),
  );
  const history = interventionHistory(events, id, calls);
  return {
    savedRun: { ...savedRun, isLast: false }, // it cannot be resumed
    here,
    items: runItems(savedRun.run, events)
      .filter(({ type }) => type !== "end")
      .map((item) => (item.type === "call" && untimed.has(item.callId) ? withoutTime(item) : item))
      .map((item) => asPrompt(item, messages.get(item.seq))),
    costs: turnCosts(events, id),
    calls,
    graphs: [],
    effectOf: (intervention) => {
      const effect = noticeEffect(intervention, history);
      return isAttached ? effect : { ...effect, followed: null }; // the agent was told nothing, so it followed nothing
    },
    recorded: {
      agent: agentLabel(run.source),
      file: run.file,
      line: run.line,
      outcome: run.outcome,
      policy: defaultPolicy.name,
      isAttached,
      ...(attachedSession === undefined ? {} : { attachedSession }),
    },
  };
}

/** A message of a person is shown as a prompt, with its text as it was recorded. */
function asPrompt(item: Item, text: string | undefined): Item {
  if (text === undefined || item.type !== "note") return item;
  return { type: "prompt", text, isResumed: false, seq: item.seq, at: item.at };
}

/** The time of a call is not shown where the recording does not have it. */
function withoutTime({ ms: _, ...call }: CallItem): CallItem {
  return call;
}
