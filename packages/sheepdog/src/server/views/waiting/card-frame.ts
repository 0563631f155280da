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
