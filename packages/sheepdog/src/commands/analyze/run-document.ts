import type { LookBackRun } from "../../look-back/look-back-run.ts";
import { plainSentence } from "../../sentences/say.ts";

/** A run in `--json` and `--jsonl`. The first nine fields are those that every version has. */
export function runDocument(run: LookBackRun, insideLoops: ReadonlySet<string>): object {
  const { opinions, ...report } = run.report;
  return {
    ...report,
    ...(opinions === undefined ? {} : { opinions }),
    showId: run.id,
    file: run.file,
    line: run.line,
    project: run.folder,
    task: run.task,
    outcome: run.outcome,
    parent: run.parent,
    isInsideLoop: insideLoops.has(run.id),
    startedAt: isoTime(run.startedAt),
    endedAt: isoTime(run.endedAt),
    episodes: run.episodes.map((episode) => ({
      detector: episode.detector,
      tool: episode.tool,
      sentence: plainSentence(episode.sentence),
      times: episode.times,
      repeats: episode.repeats,
      costUsd: episode.costUsd,
      subagents: episode.children,
      startedAt: isoTime(episode.startedAt),
      endedAt: isoTime(episode.endedAt),
      interventions: episode.interventions.map(({ at, sentence, ...intervention }) => ({
        ...intervention,
        sentence: plainSentence(sentence),
        at: isoTime(at),
      })),
      evidence: episode.evidence.map(({ at, ...call }) => ({ ...call, at: isoTime(at) })),
    })),
    usage: run.usage,
    counting: run.counting,
  };
}

/** A time as programs read it; null if the recording has none. */
export function isoTime(at: number | null): string | null {
  return at === null || Number.isNaN(new Date(at).getTime()) ? null : new Date(at).toISOString();
}
