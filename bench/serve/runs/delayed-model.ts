import type { Model } from "../../../packages/agent/dist/index.js";
import type { Conversation } from "../../loop/conversation.ts";
import { scriptedModel } from "../../loop/scripted-model.ts";
import { sleep } from "../load.ts";

interface DelayOptions {
  /** Milliseconds before the reply of a turn, counted from 0. */
  readonly delayMs: (turn: number) => number;
  /** Called at each request but the first with the clock since the one before, less its delay. */
  readonly onTurn: (overheadMs: number) => void;
}

/** A model that replies after a delay, and tells how long each turn took beside it. */
export function delayedModel(conversation: Conversation, { delayMs, onTurn }: DelayOptions): Model {
  const inner = scriptedModel(conversation, { request() {} });
  let turn = -1;
  let requestedAt = 0;
  const model: typeof inner = {
    ...inner,
    async doStream(request) {
      const now = performance.now();
      if (turn >= 0) onTurn(now - requestedAt - delayMs(turn));
      turn += 1;
      requestedAt = now;
      if (delayMs(turn) > 0) await sleep(delayMs(turn));
      return inner.doStream(request);
    },
  };
  return model as unknown as Model; // it has every field that the runtime uses
}
