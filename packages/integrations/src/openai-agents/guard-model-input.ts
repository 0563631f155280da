import type { Stop } from "@sheepdog/guardian";
import { type ItemForm, placeNotices, withNotices } from "../guard/placed-notice.ts";
import { currentRun } from "./current-run.ts";

/** What the guard reads of the arguments of a `callModelInputFilter`. */
export interface ModelInputArgs<Data> {
  readonly modelData: Data;
  readonly agent: object;
}

/** Ends a run of the SDK, which has no other way to end one before a request. */
export class RunStoppedError extends Error {
  override readonly name = "RunStoppedError";
  readonly stop: Stop;

  constructor(stop: Stop) {
    super(stop.message);
    this.stop = stop;
  }
}

/**
 * The option `callModelInputFilter` of a run or a `Runner`: adds the notices of the guardian to each request. Throws a
 * `RunStoppedError` in place of the first request after the guardian has ended the run.
 */
export function guardModelInput<Data extends { input: unknown[] }>({ modelData, agent }: ModelInputArgs<Data>): Data {
  const run = currentRun.getStore();
  if (run === undefined) return modelData;
  run.usage.model = "model" in agent && typeof agent.model === "string" ? agent.model : undefined;
  run.placed = placeNotices(run.loop, run.placed, modelData.input.findLast(isResult)?.callId);
  if (run.loop.stop !== undefined) throw new RunStoppedError(run.loop.stop);
  return { ...modelData, input: withNotices(modelData.input, run.placed, inputForm) };
}

const inputForm: ItemForm<unknown> = {
  idsOf: (item) => (isResult(item) ? [item.callId] : []),
  noticeItem: (text) => ({ role: "user", content: text }),
};

function isResult(item: unknown): item is { readonly callId: string } {
  if (typeof item !== "object" || item === null || !("callId" in item)) return false;
  return typeof item.callId === "string" && "output" in item;
}
