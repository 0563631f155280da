import type { AgentEvent, Message, ResultMessage } from "@sheepdog/agent";
import { callsOf, textOf } from "../../src/protocol/messages.ts";
import { pairingProblems } from "../run-checks.ts";
import type { ResumedSession } from "./resumed-session.ts";
import { answer } from "./scenario.ts";

/** What the process that ended during its run has reported. */
export interface ObservedOutput {
  readonly events: readonly AgentEvent[];
  /** Ids of the requests that it had reserved. */
  readonly reserved: readonly string[];
}

/** A guarantee: returns its violations after a crash and a resume. */
export type Guarantee = (observed: ObservedOutput, resumed: ResumedSession) => readonly string[];

/** I1: the database passes SQLite's integrity check. */
export const databaseIntact: Guarantee = (_, { integrity }) =>
  JSON.stringify(integrity) === '[{"integrity_check":"ok"}]' ? [] : [`I1: ${JSON.stringify(integrity)}`];

/** I2: every call has exactly one result. */
export const callsPaired: Guarantee = (_, { after }) => pairingProblems(after.messages);

/** The run ends as without a crash: the same replies, the same calls, one run. */
export const endsAsWithoutCrash: Guarantee = (_, { after }) => {
  const expected = ["user", "First two. note note", "note", "note", " look note", "look", "note", `${answer} `];
  const found = after.messages.map(shape);
  const runs = after.runs.map(({ state, reason, turns }) => `${state} ${reason} ${turns}`);
  return [
    ...(JSON.stringify(found) === JSON.stringify(expected) ? [] : [`the conversation is ${JSON.stringify(found)}`]),
    ...(JSON.stringify(runs) === '["completed answered 3"]' ? [] : [`the runs are ${JSON.stringify(runs)}`]),
    ...(after.unansweredCalls.length === 0 ? [] : [`calls are unanswered: ${JSON.stringify(after.unansweredCalls)}`]),
  ];
};

/** The work is finished, perhaps by a second run. Additional requests on the way are allowed. */
export const workFinished: Guarantee = (_, { after }) => {
  const expected = ["First two. note note", "note", "note", " look note", "look", "note", `${answer} `];
  const found = after.messages
    .filter(({ role }) => role !== "user")
    .map(shape)
    .slice(0, expected.length);
  return [
    ...(JSON.stringify(found) === JSON.stringify(expected) ? [] : [`the conversation is ${JSON.stringify(found)}`]),
    ...(after.runs.at(-1)?.reason === "answered" ? [] : [`the last run is ${JSON.stringify(after.runs.at(-1))}`]),
    ...(after.unansweredCalls.length === 0 ? [] : [`calls are unanswered: ${JSON.stringify(after.unansweredCalls)}`]),
  ];
};

function shape(message: Message): string {
  if (message.role === "user") return message.role;
  if (message.role === "tool") return message.tool;
  return `${textOf(message)} ${callsOf(message)
    .map(({ tool }) => tool)
    .join(" ")}`;
}

/** I3: saved messages stay unchanged, and everything that was reported as saved is saved. */
export const nothingReportedIsLost: Guarantee = ({ events }, { before, after, savedEvents }) => {
  const broken: string[] = [];
  if (JSON.stringify(after.messages.slice(0, before.messages.length)) !== JSON.stringify(before.messages))
    broken.push("I3: saved messages have changed");
  const turns = events.flatMap((event) =>
    event.type === "Checkpointed" || event.type === "TurnComplete" ? [event.turn] : [],
  );
  const replies = before.messages.filter(({ role }) => role === "assistant").length;
  const reportedTurns = Math.max(-1, ...turns) + 1;
  if (
    reportedTurns > replies ||
    (reportedTurns === replies && reportedTurns > 0 && pairingProblems(before.messages).length > 0)
  )
    broken.push(`I3: ${reportedTurns} turns were reported as saved, ${replies} replies are`);
  const numbers = new Map(savedEvents.map((event) => [event.seq, event.type]));
  for (const { type, seq } of events)
    if (["Checkpointed", "TurnComplete", "RunComplete"].includes(type) && numbers.get(seq) !== type)
      broken.push(`I3: ${type} (${seq}) was emitted and is not saved`);
  return broken;
};

/** Executed calls were stored before. A call with a result ran once, one with unknown outcome at most once. */
export const callsRunOnce: Guarantee = (_, { after, effects }) => {
  const results = new Map(resultsOf(after.messages).map((result) => [result.callId, result]));
  const broken = [...effects.keys()]
    .filter((callId) => !results.has(callId))
    .map((callId) => `${callId} was executed, and the history does not have it`);
  for (const { callId, tool, status } of results.values()) {
    const times = effects.get(callId) ?? 0;
    const isRight = tool === "look" ? times === 0 : status === "ok" ? times === 1 : times <= 1;
    if (!isRight) broken.push(`${callId} is ${status}, and was executed ${times} times`);
  }
  return broken;
};

/** Exactly the calls that may have been executed have an unknown outcome, and the model is sent this in these words. */
export const modelSeesUnknownOutcomes: Guarantee = (_, { before, after, scenario }) => {
  const unknown = resultsOf(after.messages).filter(({ status }) => status !== "ok");
  const unknownBefore = resultsOf(before.messages).flatMap(({ status, callId }) => (status === "ok" ? [] : [callId]));
  const started = before.unansweredCalls.filter(({ state }) => state === "started").map(({ callId }) => callId);
  const broken = sameNames(
    "unknown calls",
    [...unknownBefore, ...started],
    unknown.map(({ callId }) => callId),
  );
  const request = scenario.requests[0]?.text ?? "";
  for (const { callId, status, content } of unknown) {
    if (status !== "interrupted" || !/^Outcome unknown: .*Check what it did before you make it again\.$/.test(content))
      broken.push(`${callId} is ${status}: ${content}`);
    // Perhaps the previous process has sent it.
    const mayBeSent = unknownBefore.includes(callId) && scenario.requests.length === 0;
    if (!mayBeSent && (!request.includes(JSON.stringify(content).slice(1, -1)) || !request.includes(callId)))
      broken.push(`the model was not sent the outcome of ${callId}`);
  }
  return broken;
};

/** I5: each run ends once, each turn completes once, and sequence numbers grow. */
export const runsEndOnce: Guarantee = (_, { savedEvents, after }) => {
  const broken: string[] = [];
  for (const { runId } of after.runs) {
    const ofRun = savedEvents.filter((event) => event.runId === runId);
    const ends = ofRun.filter(({ type }) => type === "RunComplete" || type === "RunError");
    if (ends.length !== 1 || ofRun.at(-1) !== ends[0])
      broken.push(`I5: run ${runId} has ${ends.length} ends, and ${ofRun.at(-1)?.type} comes last`);
  }
  const turns = savedEvents.flatMap((event) => (event.type === "TurnComplete" ? [`${event.runId} ${event.turn}`] : []));
  if (new Set(turns).size !== turns.length) broken.push(`I5: a turn is complete twice: ${turns.join(", ")}`);
  if (savedEvents.some(({ seq }, index) => seq <= (savedEvents[index - 1]?.seq ?? 0)))
    broken.push(`I5: sequence numbers do not grow: ${savedEvents.map(({ seq }) => seq).join(", ")}`);
  return broken;
};

/** I5: no two emitted events have the same sequence number. */
export const eventSeqsUnique: Guarantee = ({ events }, { scenario }) => {
  const all = [...events, ...scenario.events];
  const usedSeqs = new Set<number>();
  const repeated = all.filter(({ seq }) => usedSeqs.size === usedSeqs.add(seq).size);
  return repeated.map(({ seq, type }) => `I5: ${type} has the sequence number ${seq}, which was used before`);
};

/** I4: each request has one row, the totals are their sums, and requests of the ended process are unconfirmed. */
export const requestsRecordedOnce: Guarantee = ({ reserved }, { rowsBefore, rows, totals, sums, scenario }) => {
  const broken: string[] = [];
  const idsOf = (state: string, of = rows) => of.filter((row) => row.state === state).map(({ id }) => id);
  broken.push(
    ...sameNames(
      "requests in the ledger",
      [...reserved, ...scenario.reserved],
      rows.map(({ id }) => id),
    ),
  );
  broken.push(
    ...sameNames(
      "unconfirmed requests",
      [...idsOf("reserved", rowsBefore), ...idsOf("unconfirmed", rowsBefore)],
      idsOf("unconfirmed"),
    ),
  );
  broken.push(...sameNames("pending reservations", [], idsOf("reserved")));
  const sum = rows.reduce((total, { costNanoUsd }) => total + (costNanoUsd ?? 0), 0);
  for (const [name, total] of Object.entries({
    session: totals.session,
    month: totals.month,
    runs: sums.reduce((all, { costNanoUsd }) => all + costNanoUsd, 0),
  }))
    if (total !== sum) broken.push(`I4: the total of the ${name} is ${total}, the rows are ${sum}`);
  return broken;
};

/** I4: the cost of a run is the sum of its rows, including those of ended processes. */
export const runCostsMatchLedger: Guarantee = (_, { rows, after }) =>
  after.runs.flatMap(({ runId, costNanoUsd, usage }) => {
    const ofRun = rows.filter((row) => row.runId === runId);
    const cost = ofRun.reduce((total, row) => total + (row.costNanoUsd ?? 0), 0);
    const output = ofRun.reduce((total, row) => total + row.usage.output, 0);
    const isRight = costNanoUsd === cost && usage.output === output;
    return isRight
      ? []
      : [`I4: the run says ${costNanoUsd} for ${usage.output} tokens, its rows ${cost} for ${output}`];
  });

function resultsOf(messages: readonly Message[]): readonly ResultMessage[] {
  return messages.flatMap((message) => (message.role === "tool" ? [message] : []));
}

function sameNames(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const [wanted, got] = [[...expected].sort().join(" "), [...found].sort().join(" ")];
  return wanted === got ? [] : [`expected the ${what} to be [${wanted}], got [${got}]`];
}

/** The guarantees that hold after every death of a process, whoever continues the session. */
export const afterEveryDeath: readonly Guarantee[] = [
  databaseIntact,
  callsPaired,
  nothingReportedIsLost,
  callsRunOnce,
  modelSeesUnknownOutcomes,
  runsEndOnce,
  eventSeqsUnique,
  requestsRecordedOnce,
  runCostsMatchLedger,
];
