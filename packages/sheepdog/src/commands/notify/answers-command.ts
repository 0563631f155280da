import { type LoggedAnswer, readAnswerLog } from "../../channels/answers/answer-log.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { styleFor } from "../../render/terminal/style.ts";

/** The options of `sheepdog notify answers`. */
export interface AnswersOptions {
  readonly limit: string;
  readonly json?: boolean;
}

/** Lists the answers that came through channels, newest first. */
export async function answersCommand({ limit, json = false }: AnswersOptions, io: Io): Promise<number> {
  const count = Number(limit);
  if (!(Number.isSafeInteger(count) && count > 0)) {
    await writeMessage(io, `--limit is "${plainText(limit)}"; it must be a whole number above 0`);
    return exitCode.usage;
  }
  const answers = readAnswerLog(resolveHome(io.env), count);
  if (json) await write(io.stdout, `${jsonText({ schemaVersion: 1, answers })}\n`);
  else if (answers.length === 0) await writeMessage(io, "nobody has answered through a channel yet");
  else for (const answer of answers) await write(io.stdout, `${answerLine(answer, io)}\n`);
  return exitCode.done;
}

function answerLine(answer: LoggedAnswer, io: Io): string {
  const { at, channel, type, sender, senderName, action, runId, outcome, reason, text } = answer;
  const { dim, red } = styleFor(io.stdout, io.env);
  const cells = [
    dim(shortDate(at, Date.now())),
    outcome === "applied" ? outcome : red(outcome),
    plainText(action),
    plainText(`${channel === "" ? type : channel}: ${senderName === undefined ? sender : `${senderName} (${sender})`}`),
    plainText(runId ?? ""),
    plainText(reason ?? ""),
    text === undefined ? "" : dim(plainText(`“${text}”`)),
  ];
  return cells.filter((cell) => cell !== "").join("  ");
}
