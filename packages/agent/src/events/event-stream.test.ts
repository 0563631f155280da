import { expect, test } from "vitest";
import type { AgentEvent } from "../protocol/events.ts";
import { createEventStream, type EventStream, type StreamedEvent } from "./event-stream.ts";
import { severities } from "./severity.ts";

const stamp = { at: 0, sessionId: "ses_1", runId: "run_1", severity: severities.TurnStarted };
const turn = (seq: number): AgentEvent => ({ type: "TurnStarted", turn: seq, seq, ...stamp });
const delta = (seq: number): AgentEvent => ({ type: "TextDelta", text: "a ", seq, ...stamp });
const recovered = (seq: number): AgentEvent => ({ type: "GuardianRecovered", episode: "e", seq, ...stamp });
const reader = () => createEventStream({ limit: 4, keep: 10, onClose: () => undefined });
const rest = async (from: EventStream) => {
  from.end();
  const events: StreamedEvent[] = [];
  for await (const event of from) events.push(event);
  return events;
};
const missed = (events: readonly StreamedEvent[]) => events.reduce((sum, { dropped = 0 }) => sum + dropped, 0);

test("for one who has not begun to read only the newest events wait, and what the guardian said; the rest is counted", async () => {
  const late = reader();
  late.push(recovered(1));
  for (let seq = 2; seq <= 5_000; seq += 1) late.push(seq === 2_500 ? recovered(seq) : turn(seq));
  const read = await rest(late);
  expect(read.length).toBeLessThanOrEqual(4 + 2 * 10 + 2);
  expect(read.slice(0, 2).map(({ type, seq }) => [type, seq])).toEqual([
    ["GuardianRecovered", 1],
    ["GuardianRecovered", 2_500],
  ]);
  expect(read.slice(-10).map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => 4_991 + index));
  expect(read.length + missed(read)).toBe(5_000);
});

test("deltas that were dropped before are counted with what is left out later", async () => {
  const late = reader();
  for (let seq = 1; seq <= 8; seq += 1) late.push(delta(seq)); // room for 4
  for (let seq = 9; seq <= 100; seq += 1) late.push(turn(seq));
  const read = await rest(late);
  expect(read[0]?.dropped).toBe(100 - read.length);
  expect(read.at(-1)?.seq).toBe(100);
});

test("one who has begun loses none but deltas, however slow", async () => {
  const slow = reader();
  slow.push(turn(1));
  await slow.next();
  for (let seq = 2; seq <= 500; seq += 1) slow.push(turn(seq));
  slow.push(delta(501));
  slow.push(turn(502));
  const read = await rest(slow);
  expect(read).toHaveLength(500);
  expect(read.at(-1)).toMatchObject({ seq: 502, dropped: 1 });
});
