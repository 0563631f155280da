import { Link } from "../../../app/router.tsx";
import type { RunDetail } from "../../../contract/index.ts";
import { taskNote } from "../../../format/task-note.ts";
import { clock, shortDate } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Sentence, sentenceText } from "../../../parts/sentence.tsx";
import { sessionLinks } from "../model/session-links.ts";
import { RunActions } from "./run-actions.tsx";
import { RunFacts } from "./run-facts.tsx";

/** The head of the page: where it is, what came of the run, what can be done, and its facts. */
export function RunHead({ detail, onChanged }: { readonly detail: RunDetail; readonly onChanged: () => void }) {
  const { run, lede, problem } = detail;
  const task = taskNote(run.task, sentenceText(run.sentence));
  return (
    <>
      <div class="run-head">
        <nav class="crumbs" aria-label="Breadcrumb">
          <Link href="/runs">Runs</Link>
          {run.project !== null && (
            <>
              <span aria-hidden="true">/</span>
              <Link href={`/runs?project=${encodeURIComponent(run.project)}`}>{run.project}</Link>
            </>
          )}
          <span aria-hidden="true">/</span>
          <span class="mono cut">{run.id}</span>
          <Link class="anchor" href={`/runs/${encodeURIComponent(run.id)}`} aria-label="Link to this run">
            <Icon name="link" />
          </Link>
          {run.kind === "recording" && <span class="tag">{run.source} recording</span>}
          {run.isDemo && <span class="tag">demo</span>}
        </nav>
        <RunActions detail={detail} onChanged={onChanged} />
        <h1 class="outcome">
          <Sentence parts={run.sentence} />
        </h1>
        <SessionLine detail={detail} />
        {task !== null && (
          <p class="task" title={run.prompt}>
            {task}
          </p>
        )}
        {lede.length > 0 ? (
          <p class="lede">
            <Sentence parts={lede} />
          </p>
        ) : (
          problem !== null && <p class="lede">{problem}</p>
        )}
      </div>
      <RunFacts detail={detail} />
    </>
  );
}

/** Where the session came from and where it went on, if the run is not its only one. */
function SessionLine({ detail }: { readonly detail: RunDetail }) {
  const { earlier, later } = sessionLinks(detail);
  if (earlier === undefined && later === undefined) return null;
  const links = [["Continued from", earlier] as const, ["Continued as", later] as const];
  return (
    <p class="session-line">
      {links.map(
        ([word, other]) =>
          other !== undefined && (
            <span>
              {word}{" "}
              <Link class="link" href={`/runs/${encodeURIComponent(other.id)}`}>
                the run of {shortDate(other.startedAt)}, {clock(other.startedAt, true)}
              </Link>
            </span>
          ),
      )}
    </p>
  );
}
