import type { AgentEvent, Message, ResultMessage } from "@sheepdog/agent";
import { callsOf, textOf } from "../../src/protocol/messages.ts";
import { pairing } from "../oracle.ts";
import type { ResumedSession } from "./resumed-session.ts";
import { answer } from "./scenario.ts";

/** What the process said that ended before its run did. */
export interface ObservedOutput {
  readonly events: readonly AgentEvent[];
  /** Ids of the requests it had put into the books. */
  readonly reserved: readonly string[];
}

/** A promise: what is broken of it after a crash and the process that went on. Together they are the oracle of FAULTS.md B3, held against the database. */
export type Guarantee = (witness: ObservedOutput, finished: ResumedSession) => readonly string[];

/** I1: SQLite finds nothing wrong with its database. */
export const databaseIntact: Guarantee = (_, { integrity }) =>
  JSON.stringify(integrity) === '[{"integrity_check":"ok"}]' ? [] : [`I1: ${JSON.stringify(integrity)}`];

/** I2: every call has exactly one result. */
export const callsPaired: Guarantee = (_, { after }) => pairing(after.messages);

/** The run ends as it does without a crash: the same replies to the same calls, and one run. */
export const endsAsWithoutCrash: Guarantee = (_, { after }) => {
  const expected = ["user", "First two. note note", "note", "note", " look note", "look", "note", `${answer} `];
  const found = after.messages.map(shape);
  const runs = after.runs.map(({ state, reason, turns }) => `${state} ${reason} ${turns}`);
  return [
    ...(JSON.stringify(found) === JSON.stringify(expected) ? [] : [`the conversation is ${JSON.stringify(found)}`]),
    ...(JSON.stringify(runs) === '["completed answered 3"]' ? [] : [`the runs are ${JSON.stringify(runs)}`]),
    ...(after.unansweredCalls.length === 0 ? [] : [`calls are open: ${JSON.stringify(after.unansweredCalls)}`]),
  ];
};

/** The work is done in the end, perhaps by another run after the one that broke off; what was asked for once more on the way does no harm. */
export const workFinished: Guarantee = (_, { after }) => {
  const expected = ["First two. note note", "note", "note", " look note", "look", "note", `${answer} `];
  const found = after.messages
    .filter(({ role }) => role !== "user")
    .map(shape)
    .slice(0, expected.length);
  return [
    ...(JSON.stringify(found) === JSON.stringify(expected) ? [] : [`the conversation is ${JSON.stringify(found)}`]),
    ...(after.runs.at(-1)?.reason === "answered" ? [] : [`the last run is ${JSON.stringify(after.runs.at(-1))}`]),
    ...(after.unansweredCalls.length === 0 ? [] : [`calls are open: ${JSON.stringify(after.unansweredCalls)}`]),
  ];
};

function shape(message: Message): string {
  if (message.role === "user") return message.role;
  if (message.role === "tool") return message.tool;
  return `${textOf(message)} ${callsOf(message)
    .map(({ tool }) => tool)
    .join(" ")}`;
}

/** I3: what was kept stays as it was, and what was told as kept is. */
export const nothingReportedIsLost: Guarantee = ({ events }, { before, after, savedEvents }) => {
  const broken: string[] = [];
  if (JSON.stringify(after.messages.slice(0, before.messages.length)) !== JSON.stringify(before.messages))
    broken.push("I3: messages that were kept have changed");
  const turns = events.flatMap((event) =>
    event.type === "Checkpointed" || event.type === "TurnComplete" ? [event.turn] : [],
  );
  const replies = before.messages.filter(({ role }) => role === "assistant").length;
  const told = Math.max(-1, ...turns) + 1;
  if (told > replies || (told === replies && told > 0 && pairing(before.messages).length > 0))
    broken.push(`I3: ${told} turns were told as kept, ${replies} replies are`);
  const numbers = new Map(savedEvents.map((event) => [event.seq, event.type]));
  for (const { type, seq } of events)
    if (["Checkpointed", "TurnComplete", "RunComplete"].includes(type) && numbers.get(seq) !== type)
      broken.push(`I3: ${type} (${seq}) was told and is not kept`);
  return broken;
};

/** What was run was written down before; what has a result was run once, and what is unknown not more often. */
export const callsRunOnce: Guarantee = (_, { after, effects }) => {
  const results = new Map(resultsOf(after.messages).map((result) => [result.callId, result]));
  const broken = [...effects.keys()]
    .filter((callId) => !results.has(callId))
    .map((callId) => `${callId} was run, and the history does not know it`);
  for (const { callId, tool, status } of results.values()) {
    const times = effects.get(callId) ?? 0;
    const isRight = tool === "look" ? times === 0 : status === "ok" ? times === 1 : times <= 1;
    if (!isRight) broken.push(`${callId} is ${status}, and was run ${times} times`);
  }
  return broken;
};

/** The calls that may have been run when the process ended, and no others, are unknown to the model as well: in these very words. */
export const modelSeesUnknownOutcomes: Guarantee = (_, { before, after, scenario }) => {
  const unknown = resultsOf(after.messages).filter(({ status }) => status !== "ok");
  const known = resultsOf(before.messages).flatMap(({ status, callId }) => (status === "ok" ? [] : [callId]));
  const started = before.unansweredCalls.filter(({ state }) => state === "started").map(({ callId }) => callId);
  const broken = sameNames(
    "unknown calls",
    [...known, ...started],
    unknown.map(({ callId }) => callId),
  );
  const request = scenario.requests[0]?.text ?? "";
  for (const { callId, status, content } of unknown) {
    if (
      status !== "interrupted" ||
      !/^Outcome unknown: .*Look at what it did before you make it again\.$/.test(content)
    )
      broken.push(`${callId} is ${status}: ${content}`);
    const isTold = known.includes(callId) && scenario.requests.length === 0; // by the process before, perhaps
    if (!isTold && (!request.includes(JSON.stringify(content).slice(1, -1)) || !request.includes(callId)))
      broken.push(`the model was not told about ${callId}`);
  }
  return broken;
};

/** I5: one end for each run, each turn complete once, and numbers that only grow. */
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
  if (savedEvents.some(({ seq }, place) => seq <= (savedEvents[place - 1]?.seq ?? 0)))
    broken.push(`I5: numbers do not grow: ${savedEvents.map(({ seq }) => seq).join(", ")}`);
  return broken;
};

/** I5: no two events that anybody was told have the same number. */
export const eventSeqsUnique: Guarantee = ({ events }, { scenario }) => {
  const all = [...events, ...scenario.events];
  const given = new Set<number>();
  const again = all.filter(({ seq }) => given.size === given.add(seq).size);
  return again.map(({ seq, type }) => `I5: ${type} has the number ${seq}, which was given before`);
};

/** I4: a row for each request, the totals are their sums, and what nobody could settle is unconfirmed. */
export const requestsRecordedOnce: Guarantee = ({ reserved }, { rowsBefore, rows, totals, sums, scenario }) => {
  const broken: string[] = [];
  const idsOf = (state: string, of = rows) => of.filter((row) => row.state === state).map(({ id }) => id);
  broken.push(
    ...sameNames(
      "requests in the books",
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
  broken.push(...sameNames("open reservations", [], idsOf("reserved")));
  const sum = rows.reduce((total, { costNanoUsd }) => total + (costNanoUsd ?? 0), 0);
  for (const [name, total] of Object.entries({
    session: totals.session,
    month: totals.month,
    runs: sums.reduce((all, { costNanoUsd }) => all + costNanoUsd, 0),
  }))
    if (total !== sum) broken.push(`I4: the total of the ${name} is ${total}, the rows are ${sum}`);
  return broken;
};

/** I4: what a run says it did cost is the sum of its rows, those of processes that ended included. */
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
