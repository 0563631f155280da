import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { openStreamClient } from "./stream-client.ts";

/** An answer of which the test says how many bytes wait to be sent. */
function manualAnswer() {
  const answer = Object.assign(new EventEmitter(), {
    writableLength: 0,
    destroyed: false,
    writeHead: () => {},
    write: () => true,
    destroy: () => {
      answer.destroyed = true;
    },
  });
  return answer;
}

test("only a client that takes nothing for eight heartbeats is disconnected", () => {
  const answer = manualAnswer();
  const client = openStreamClient(
    answer as unknown as ServerResponse, // the part that a client uses
    { sessionId: undefined, after: undefined, isLive: true },
    { position: 7, onClose: () => {} },
  );
  const beat = (waitingBytes: number, times: number) => {
    answer.writableLength = waitingBytes;
    for (let count = 0; count < times; count += 1) client.beat();
  };
  for (let count = 0; count < 10; count += 1) {
    beat(10, 1);
    beat(0, 1); // it has taken everything
  }
  beat(10, 8);
  expect(answer.destroyed).toBe(false);
  beat(10, 1);
  expect(answer.destroyed).toBe(true);
});

test("a client knows its position at once, so that it misses nothing if it is disconnected before a message", () => {
  const written: string[] = [];
  const answer = Object.assign(manualAnswer(), { write: (text: string) => written.push(text) > 0 });
  const client = openStreamClient(
    answer as unknown as ServerResponse, // the part that a client uses
    { sessionId: undefined, after: undefined, isLive: true },
    { position: 7, onClose: () => {} },
  );
  expect([client.position, ...written]).toEqual([7, "retry: 1000\nid: 7\n\n"]);
});
