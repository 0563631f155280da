import type { DetectorName, Level, OpinionRequest } from "@sheepdog/guardian";
import { type Brief, type BriefCall, type Opinion, opinionBrief } from "@sheepdog/guardian/opinion";
import type { RecordedCall, RecordedRun } from "../trajectory/recorded-run.ts";

/** A question that the guardian would have asked during a recorded run, with the text for whoever answers it. */
export interface Question extends Brief {
  /** `<run>-<call>-<detector>`: it names the same question whatever was answered before. */
  readonly id: string;
  readonly run: string;
  readonly source: string | null;
  /** 0-based index of the last finished call. */
  readonly call: number;
  readonly detector: DetectorName;
  /** The level that waits for the answer. */
  readonly level: Level;
}

/** Returns the answer to a question; undefined if there is none, so that the rules decide. */
export type FindOpinion = (question: Question) => Opinion | undefined;

/** Creates the questions of one run. */
export function createQuestions(run: RecordedRun): (request: OpinionRequest) => Question {
  const uses = new Map<string, number>();
  return (request) => {
    const { call, detector, level } = request;
    const name = `${run.id}-${call}-${detector}`;
    const calls = run.steps.flatMap((step) => step.calls).slice(0, call + 1);
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    return {
      id: use === 1 ? name : `${name}-${use}`,
      run: run.id,
      source: run.source ?? null,
      call,
      detector,
      level,
      ...opinionBrief({ task: run.task ?? "", calls: calls.map(briefCall), request }),
    };
  };
}

function briefCall({ name: tool, args, result, isError }: RecordedCall): BriefCall {
  return { tool, args, result: resultText(result), isError: isError === true };
}

function resultText(result: unknown): string | undefined {
  if (result === null || typeof result === "string") return result ?? undefined;
  return JSON.stringify(result);
}
