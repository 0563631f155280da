import { expect, test } from "vitest";
import { faultyTurns } from "./faulty-turns.ts";
import { scriptedModel } from "./scripted-model.ts";
import { startWireServer } from "./wire-server/start-wire-server.ts";
import { readReply, testProviders } from "./wire-server/test-providers.ts";

const noSleep = async () => {};

test("every faulty turn has a unique name and is plain data", () => {
  expect(new Set(faultyTurns.map(({ name }) => name)).size).toBe(faultyTurns.length);
  for (const { turn } of faultyTurns) expect(JSON.parse(JSON.stringify(turn))).toEqual(turn);
});

test.each(faultyTurns)(
  "$name: read from a scripted model, it ends by itself or when the reader disconnects",
  async ({ turn, isEndless }) => {
    const disconnect = new AbortController();
    if (isEndless === true) setImmediate(() => disconnect.abort());
    await readReply(scriptedModel([turn]), disconnect.signal).catch(() => undefined);
    expect(disconnect.signal.aborted).toBe(isEndless === true);
  },
);

test.each(faultyTurns)(
  "$name: read over the wire by every provider, it ends by itself or when the reader disconnects",
  async ({ turn, isEndless }) => {
    for (const { create } of testProviders) {
      const disconnect = new AbortController();
      const script = [
        () => {
          if (isEndless === true) setImmediate(() => disconnect.abort());
          return turn;
        },
      ];
      const server = await startWireServer(script, { sleep: noSleep });
      await readReply(create(server.url), disconnect.signal).catch(() => undefined);
      const outcome = await server.requests[0]?.outcome;
      await server.close();
      expect(outcome).toBe(isEndless === true ? "left" : "sent");
    }
  },
);
