import { cut } from "../../render/terminal/width.ts";

/** Says that a typed line does not answer the question. */
export function noAnswer(line: string): string {
  return line === "" ? "Nothing was typed." : `"${cut(line, 30)}" is no answer.`;
}
