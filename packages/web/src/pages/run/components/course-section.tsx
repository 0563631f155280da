import type { InterventionView } from "../../../contract/index.ts";
import { usd } from "../../../format/amounts.ts";
import { duration } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import type { RunModel } from "../model/run-model.ts";

/** Whether the intervention changed anything: the next call, what the agent wrote, and the second opinion. */
export function CourseSection({ view, model }: { readonly view: InterventionView; readonly model: RunModel }) {
  const { followed, opinion, isApplied } = view;
  if ((followed === null || !isApplied) && opinion === null) return null;
  return (
    <section>
      <h3>Did it change course?</h3>
      {followed !== null && isApplied && <Outcome view={view} model={model} />}
      {opinion !== null && (
        <div class="verdict">
          <Icon name="eye" class="faint" />
          <p>
            <b>Second opinion{isGiven(opinion) ? `: ${opinion.verdict}` : ""}.</b>{" "}
            {opinion.advice !== null && `“${opinion.advice}” `}
            {opinion.skipped ?? opinion.problem ?? ""}
            <span class="faint">
              {[
                ...(opinion.model === null ? [] : [opinion.model]),
                ...(opinion.costUsd === null ? [] : [usd(opinion.costUsd)]),
              ].join(", ")}
            </span>
          </p>
        </div>
      )}
    </section>
  );
}

function isGiven({ skipped, problem }: NonNullable<InterventionView["opinion"]>): boolean {
  return skipped === null && problem === null;
}

function Outcome({ view, model }: { readonly view: InterventionView; readonly model: RunModel }) {
  const { followed, isRecovered, at, seq, nextCallId } = view;
  const next = nextCallId === null ? model.calls.find((call) => call.seq > seq) : model.callById.get(nextCallId);
  const said = model.items.find(
    (item) => item.type === "text" && item.seq > seq && (next === undefined || item.seq < next.seq + 1),
  );
  const text = said?.type === "text" ? said.text.replace(/\s+/g, " ").slice(0, 200) : undefined;
  return (
    <div class="verdict">
      <Icon name={followed ? "check" : "x"} class={followed ? "ok" : "bad"} />
      <p>
        <b>{followed ? (isRecovered ? "Yes, and the run recovered." : "Yes.") : "No."}</b>{" "}
        {next !== undefined && (
          <>
            The next call was {followed ? "another one" : "the same"}, {duration(next.at - at)} later (
            <a class="link" href={`#e${next.seq}`}>
              call {next.number}
            </a>
            ).{" "}
          </>
        )}
        {text !== undefined && `The agent wrote: “${text}”`}
      </p>
    </div>
  );
}
