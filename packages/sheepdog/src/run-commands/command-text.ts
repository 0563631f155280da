import { duration } from "@sheepdog/agent/timeline";
import type { CommandResult, RunCommand } from "@sheepdog/web/contract";
import type { CommandOutcome } from "../control/run-port.ts";
import { clockText } from "../render/clock-text.ts";
import { counted, dollars } from "../render/terminal/amounts.ts";

/** What the user has to know about a run that has ended. */
export interface EndedRun {
  readonly endedAt: number | undefined;
  readonly canResume: boolean;
}

/** What came of a command, as a sentence. */
export function commandResult(
  command: RunCommand,
  outcome: CommandOutcome,
  { runId, ended }: { readonly runId: string; readonly ended: EndedRun },
): CommandResult {
  switch (outcome.type) {
    case "applied":
      return { isDone: true, text: doneText(command), runId };
    case "refused":
      return { isDone: false, text: `${notDone(command)}: ${insideSentence(outcome.reason)}`, runId };
    case "ended":
      return { isDone: false, text: `${notDone(command)}: ${endedText(ended)}`, runId };
    case "unanswered":
      return {
        isDone: false,
        text: `${notDone(command)}: the process of the run did not answer. It hangs, or it takes no commands.`,
        runId,
      };
    default:
      return outcome satisfies never;
  }
}

/** A sentence after a colon begins with a small letter, unless it begins with a name or an abbreviation. */
function insideSentence(sentence: string): string {
  return /^(?:No|This|The|It|Two|That|There|A)\b/.test(sentence)
    ? sentence.slice(0, 1).toLowerCase() + sentence.slice(1)
    : sentence;
}

/** That a run has ended, when, and whether it can be resumed. */
function endedText({ endedAt, canResume }: EndedRun): string {
  const ended = endedAt === undefined ? "the run has ended." : `the run ended at ${clockText(endedAt)}.`;
  return canResume ? `${ended} Resume it instead.` : ended;
}

function doneText(command: RunCommand): string {
  switch (command.type) {
    case "stop":
      return "The run is being stopped.";
    case "steer":
      return "The agent reads your message before its next turn.";
    case "limit":
      return command.stop === 0
        ? `${limitNames[command.limit]} is removed.`
        : `${limitNames[command.limit]} is now ${limitText(command)}.`;
    case "mute":
      return "The guardian is muted here: it records what it would have done.";
    case "unmute":
      return "The guardian acts here again.";
    case "approval":
      if (!command.isAllowed) return "Denied.";
      return command.isAlways ? "Approved: exactly this call, until the program of the run ends." : "Approved once.";
    case "answer":
      return answers[command.answer];
    case "reply":
      return "The agent has your answer.";
    default:
      return command satisfies never;
  }
}

const answers = {
  stop: "The run is being stopped.",
  continue: "The run continues.",
  tell: "The run continues with your message.",
} as const;

/** The beginning of a sentence that says why. */
function notDone(command: RunCommand): string {
  switch (command.type) {
    case "stop":
      return "The run was not stopped";
    case "steer":
      return "The message was not sent";
    case "limit":
      return "The limit was not changed";
    case "mute":
      return "The guardian was not muted";
    case "unmute":
      return "The mute was not lifted";
    case "approval":
    case "answer":
    case "reply":
      return "The answer was not sent";
    default:
      return command satisfies never;
  }
}

const limitNames = {
  "run-cost": "The limit of the run's cost",
  "run-tokens": "The limit of the run's tokens",
  turns: "The limit of turns",
  time: "The time limit",
} as const;

function limitText({ limit, stop }: Extract<RunCommand, { type: "limit" }>): string {
  switch (limit) {
    case "run-cost":
      return dollars(stop);
    case "run-tokens":
      return counted(stop, "token");
    case "turns":
      return counted(stop, "turn");
    case "time":
      return duration(stop * 1_000);
    default:
      return limit satisfies never;
  }
}
