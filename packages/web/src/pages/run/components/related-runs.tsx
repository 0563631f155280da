import { Link } from "../../../app/router.tsx";
import type { RunDetail } from "../../../contract/index.ts";
import { usd } from "../../../format/amounts.ts";
import { clock, shortDate } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Sentence } from "../../../parts/sentence.tsx";

/** Subagents of the run, and the other runs of its session. */
export function RelatedRuns({ detail }: { readonly detail: RunDetail }) {
  const { subagents, otherRuns } = detail;
  if (subagents.length === 0 && otherRuns.length === 0) return null;
  return (
    <div class="related">
      {subagents.length > 0 && (
        <section aria-labelledby="subagents-h">
          <h2 id="subagents-h">Subagents</h2>
          <ul class="lines">
            {subagents.map((run) => (
              <li>
                <Link class="line" href={`/runs/${encodeURIComponent(run.id)}`}>
                  {run.isLive ? (
                    <i class="pulse" />
                  ) : (
                    <Icon
                      name={run.state === "completed" ? "check" : "x"}
                      class={run.state === "completed" ? "ok" : "bad"}
                    />
                  )}
                  <span class="cut grow">
                    <Sentence parts={run.sentence} />
                  </span>
                  <span class="faint num">{usd(run.costUsd)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {otherRuns.length > 0 && (
        <section aria-labelledby="session-h">
          <h2 id="session-h">Other runs of this session</h2>
          <ul class="lines">
            {otherRuns.map(({ id, prompt, startedAt }) => (
              <li>
                <Link class="line" href={`/runs/${encodeURIComponent(id)}`}>
                  <Icon name="runs" class="faint" />
                  <span class="cut grow">{prompt === "" ? id : prompt}</span>
                  <time class="faint num">
                    {shortDate(startedAt)}, {clock(startedAt)}
                  </time>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
