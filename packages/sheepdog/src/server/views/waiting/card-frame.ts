import type { Waiting } from "@sheepdog/web/contract";

/** The parts of a card that all kinds share. */
export type CardFrame = Pick<
  Waiting,
  | "runId"
  | "sessionId"
  | "project"
  | "task"
  | "canAnswer"
  | "costUsd"
  | "limitUsd"
  | "output"
  | "diff"
  | "suggestion"
  | "choices"
>;

/** What happens without an answer, if there is no time limit. */
export const waitsForever = "It waits until you answer, and spends nothing meanwhile.";
