import { confidenceAt, type Lesson } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { withStores } from "../../saved-runs/with-stores.ts";

/** Lists the lessons from earlier calls, newest first. */
export async function listLessons({ json = false }: { readonly json?: boolean }, io: Io): Promise<number> {
  return withStores(io, async ({ stores }) => {
    const now = Date.now();
    const lessons = await stores.lessons.list();
    if (json) {
      const document = { schemaVersion: 1, lessons: lessons.map((lesson) => lessonDocument(lesson, now)) };
      await write(io.stdout, `${jsonText(document)}\n`);
    } else if (lessons.length === 0) await writeMessage(io, "there are no lessons yet");
    else for (const lesson of lessons) await write(io.stdout, `${lessonLines(lesson, now, io).join("\n")}\n`);
    return exitCode.done;
  });
}

function lessonLines(lesson: Lesson, now: number, { stdout, env }: Io): readonly string[] {
  const { id, at, action, rule, reflection, timesApplied } = lesson;
  const [style, width] = [styleFor(stdout, env), columnsOf(stdout, env)];
  const details = [
    shortDate(at, now),
    `confidence ${Math.round(confidenceAt(lesson, now) * 100)} %`,
    `applied ${counted(timesApplied, "time")}`,
  ].join("  ");
  const texts = [action, rule, reflection].flatMap((text) => plainLines(plainText(text), width - 2));
  return [`${style.bold(plainText(id))}  ${style.dim(details)}`, ...texts.map((line) => `  ${line}`)];
}

function lessonDocument(lesson: Lesson, now: number): Readonly<Record<string, unknown>> {
  const { id, at, action, reflection, principle, rule, timesApplied, lastAppliedAt, outcome, source, sessionId } =
    lesson;
  return {
    id,
    at: isoTime(at),
    action,
    reflection,
    principle,
    rule,
    confidence: Math.round(confidenceAt(lesson, now) * 1_000) / 1_000,
    timesApplied,
    lastAppliedAt: lastAppliedAt === undefined ? null : isoTime(lastAppliedAt),
    outcome,
    source,
    sessionId,
  };
}
