import { write } from "../../io.ts";
import { agentLabel } from "../../look-back/agent-label.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import type { LimitFacts, LookBackRun } from "../../look-back/look-back-run.ts";
import { lookBackTotals } from "../../look-back/look-back-totals.ts";
import { type WorstBy, worstRuns } from "../../look-back/worst-runs.ts";
import { programName } from "../../program-name.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { actionsText, type EvidenceLayout, episodeLines, savedText } from "./episode-lines.ts";
import { opinionLines } from "./opinion-lines.ts";
import { opinionsSentence } from "./opinions-sentence.ts";
import type { Report } from "./report.ts";

/** Runs, unless `--top` says otherwise. */
const RUNS = 10;

/** Prints the evidence: one block for each loop of the worst runs. */
export const evidenceReport: Report = async (lookBack, { io, options, top = RUNS, now }) => {
  const width = columnsOf(io.stdout, io.env);
  const style = styleFor(io.stdout, io.env);
  const runs = explainedRuns(lookBack, options.sort ?? "cost");
  for (const [index, run] of runs.slice(0, top).entries()) {
    const layout = { width, style, file: run.file, line: run.line };
    const head = wrap(headText(run, now, programName(io.env)), width).map(style.cyan);
    const blocks = [head, ...(await runBlocks(run, layout))];
    await write(io.stdout, `${index === 0 ? "" : "\n\n"}${blocks.map((lines) => lines.join("\n")).join("\n\n")}`);
  }
  const left = runs.length - Math.min(runs.length, top);
  const more =
    left === 0 ? [] : ["", ...wrap(`and ${counted(left, "more run")} (--top ${runs.length})`, width).map(style.dim)];
  const { opinions } = lookBackTotals(lookBack);
  if (opinions !== undefined) more.push("", ...wrap(opinionsSentence(opinions), width));
  if (runs.length === 0) await write(io.stdout, "The guardian would not have spoken in any run.");
  await write(io.stdout, `\n${more.map((line) => `${line}\n`).join("")}`);
};

/** The worst runs first, then those in which the guardian would have spoken all the same. */
function explainedRuns(lookBack: LookBack, by: WorstBy): readonly LookBackRun[] {
  const worst = worstRuns(lookBack, by).map(({ run }) => run);
  const ids = new Set(worst.map(({ id }) => id));
  const hasMore = ({ episodes, limits, report }: LookBackRun) =>
    episodes.length + limits.length + (report.opinions ?? []).length > 0;
  return [...worst, ...lookBack.runs.filter((run) => !ids.has(run.id) && hasMore(run))];
}

function headText({ id, recordedId, source, project, startedAt }: LookBackRun, now: number, program: string): string {
  const facts = [
    `Run ${plainText(recordedId)}`,
    agentLabel(source),
    project === null ? undefined : project,
    startedAt === null ? undefined : shortDate(startedAt, now),
    `${program} show ${id}`,
  ];
  return plainText(facts.filter((fact) => fact !== undefined).join(" · "));
}

async function runBlocks(run: LookBackRun, layout: EvidenceLayout): Promise<readonly (readonly string[])[]> {
  const episodes = await Promise.all(run.episodes.map((episode) => episodeLines(episode, layout)));
  const opinions = opinionLines(run.report.opinions ?? [], layout.width);
  return [
    ...episodes,
    ...run.limits.map((limit) => limitLines(limit, layout)),
    ...(opinions.length === 0 ? [] : [opinions]),
  ];
}

function limitLines(facts: LimitFacts, { width, style }: EvidenceLayout): readonly string[] {
  const indented = (text: string) => wrap(text, width - 2).map((line) => `  ${line}`);
  return [
    ...wrap(
      `The limit ${facts.limit}: ${facts.level === "halt" ? "reached" : "nearly reached"} in turn ${facts.turn + 1}.`,
      width,
    ).map(style.bold),
    ...indented(actionsText([facts])),
    ...indented(`It would have said: “${plainText(facts.message)}”`).map(style.dim),
    ...indented(savedText([facts])),
  ];
}
