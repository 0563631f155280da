import type { GateLesson } from "../gate.ts";
import { knownArgs, programOf, type SimpleCommand } from "../simple-command.ts";
import { findings, type JudgePrinciple, type PrincipleInput } from "./principle-input.ts";

const { fine, caution, against } = findings("learning");

/** From this confidence on, a lesson asks for approval. */
const SURE = 0.8;

/** Has something gone wrong with such a call before? */
export const learning: JudgePrinciple = (input) => {
  const lessons = lessonsAbout(input).toSorted((one, other) => other.confidence - one.confidence);
  const [surest] = lessons;
  if (surest === undefined) return fine("No lesson is about such a call.");
  return surest.confidence >= SURE ? against(surest.rule) : caution(surest.rule);
};

/** The lessons about this call. */
export function lessonsAbout({
  call,
  commands,
  context,
}: Pick<PrincipleInput, "call" | "commands" | "context">): readonly GateLesson[] {
  const actions = [call.tool, ...commands.map((command) => `${call.tool} ${commandText(command)}`)];
  return (context.lessons ?? []).filter(({ action }) => actions.some((text) => startsWithWords(text, action)));
}

function commandText(command: SimpleCommand): string {
  return [programOf(command), ...knownArgs(command)].join(" ");
}

function startsWithWords(text: string, start: string): boolean {
  return start !== "" && (text === start || text.startsWith(`${start} `));
}
