import { expect, test } from "vitest";
import type { AgentEvent } from "../protocol/events.ts";
import { createEventStream, type EventStream, type StreamedEvent } from "./event-stream.ts";
import { severities } from "./severity.ts";

const stamp = { at: 0, sessionId: "ses_1", runId: "run_1", severity: severities.TurnStarted };
const turn = (seq: number): AgentEvent => ({ type: "TurnStarted", turn: seq, seq, ...stamp });
const delta = (seq: number): AgentEvent => ({ type: "TextDelta", text: "a ", seq, ...stamp });
const recovered = (seq: number): AgentEvent => ({ type: "GuardianRecovered", episode: "e", seq, ...stamp });
const testStream = () => createEventStream({ limit: 4, keep: 10, onClose: () => undefined });
const endAndRead = async (stream: EventStream) => {
  stream.end();
  const events: StreamedEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
};
const droppedCount = (events: readonly StreamedEvent[]) => events.reduce((sum, { dropped = 0 }) => sum + dropped, 0);

test("a reader that has not started gets the newest events, those of the guardian, and a count", async () => {
  const stream = testStream();
  stream.push(recovered(1));
  for (let seq = 2; seq <= 5_000; seq += 1) stream.push(seq === 2_500 ? recovered(seq) : turn(seq));
  const read = await endAndRead(stream);
  expect(read.length).toBeLessThanOrEqual(4 + 2 * 10 + 2);
  expect(read.slice(0, 2).map(({ type, seq }) => [type, seq])).toEqual([
    ["GuardianRecovered", 1],
    ["GuardianRecovered", 2_500],
  ]);
  expect(read.slice(-10).map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => 4_991 + index));
  expect(read.length + droppedCount(read)).toBe(5_000);
});

test("deltas dropped earlier are counted together with events dropped later", async () => {
  const stream = testStream();
  for (let seq = 1; seq <= 8; seq += 1) stream.push(delta(seq)); // the limit is 4
  for (let seq = 9; seq <= 100; seq += 1) stream.push(turn(seq));
  const read = await endAndRead(stream);
  expect(read[0]?.dropped).toBe(100 - read.length);
  expect(read.at(-1)?.seq).toBe(100);
});

test("a reader that has started misses deltas only, however slow it is", async () => {
  const stream = testStream();
  stream.push(turn(1));
  await stream.next();
  for (let seq = 2; seq <= 500; seq += 1) stream.push(turn(seq));
  stream.push(delta(501));
  stream.push(turn(502));
  const read = await endAndRead(stream);
  expect(read).toHaveLength(500);
  expect(read.at(-1)).toMatchObject({ seq: 502, dropped: 1 });
});
