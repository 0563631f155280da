import type { LookBackRun } from "../../../../look-back/look-back-run.ts";
import { actionsText } from "../../episode-lines.ts";
import { type Html, html } from "../html.ts";
import { momentText, timeText } from "../times.ts";
import { callsLane } from "./calls-lane.ts";
import { costLane } from "./cost-lane.ts";
import { guardianLane } from "./guardian-lane.ts";
import { runAxis } from "./run-axis.ts";

/** The calls of a run on one axis: what the guardian would have done, what was spent, and which calls repeat. */
export function timeline(run: LookBackRun): Html {
  if (run.report.calls === 0) return html``;
  const axis = runAxis(run);
  const start = run.startedAt === null ? "" : ` · ${momentText(run.startedAt)}`;
  const end = run.endedAt === null ? "" : ` · ${endText(run)}`;
  return html`
    <div class="lanes" role="img" aria-label="${sentence(run)}">
      ${guardianLane(run, axis)}
      ${costLane(run, axis)}
      ${callsLane(run, axis)}
      <div class="lane axis">
        <span></span>
        <span class="ends"><span>call 1${start}</span><span>call ${number(axis.calls)}${end}</span></span>
        <span></span>
      </div>
    </div>
  `;
}

function endText({ startedAt, endedAt }: LookBackRun): string {
  if (endedAt === null) return "";
  const isSameDay = startedAt !== null && new Date(startedAt).toDateString() === new Date(endedAt).toDateString();
  return isSameDay ? timeText(endedAt) : momentText(endedAt);
}

/** The drawing in words. */
function sentence({ report, episodes }: LookBackRun): string {
  const stuck = report.stuck?.calls ?? 0;
  const first = episodes.find(({ repeats }) => repeats > 0) ?? episodes[0];
  const actions = first === undefined ? "" : ` ${actionsText(first.interventions)}`;
  return `${number(stuck)} of ${number(report.calls)} calls repeat an earlier one.${actions}`;
}

function number(amount: number): string {
  return amount.toLocaleString("en-US");
}
