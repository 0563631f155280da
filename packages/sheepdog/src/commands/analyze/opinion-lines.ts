import type { ReportedOpinion } from "@sheepdog/records";
import { plainText } from "../../render/terminal/plain-text.ts";
import { wrap } from "../../render/terminal/wrap.ts";

/** The second opinions about a run. */
export function opinionLines(opinions: readonly ReportedOpinion[], width: number): readonly string[] {
  return opinions.flatMap(({ detector, level, call, verdict, advice }) => {
    const answer = verdict ?? "no answer, the rules decide";
    const sentence = `Second opinion on ${detector} after call ${call + 1}, before ${level}: ${answer}`;
    return [
      ...wrap(plainText(sentence), width),
      ...(advice === null ? [] : wrap(`Advice: ${plainText(advice)}`, width - 2).map((line) => `  ${line}`)),
    ];
  });
}
