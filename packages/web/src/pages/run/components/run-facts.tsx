import type { RunDetail, RunRow } from "../../../contract/index.ts";
import { usd } from "../../../format/amounts.ts";
import { clock, duration, needsSeconds, runningTime } from "../../../format/times.ts";
import { Icon, type IconName } from "../../../parts/icon.tsx";
import { Meter } from "../../../parts/meter.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { timeText } from "../model/time-text.ts";

/** The facts of a run in one strip. */
export function RunFacts({ detail }: { readonly detail: RunDetail }) {
  const { run, branch, policy, goal } = detail;
  const now = useNow(run.endedAt === null ? 1_000 : undefined);
  const ranMs = (run.endedAt ?? now) - run.startedAt;
  const hasSeconds = needsSeconds(ranMs);
  return (
    <dl class="facts">
      <div>
        <dt>State</dt>
        <dd>
          <StateChip run={run} />
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd class="of">
          {usd(run.costUsd)}
          {run.limitUsd !== null && <span class="faint">of {usd(run.limitUsd)}</span>}
          {run.limitUsd !== null && <Meter value={run.costUsd ?? 0} limit={run.limitUsd} warn={run.limitUsd * 0.8} />}
        </dd>
      </div>
      {timeText(run.startedAt) !== null && (
        <div>
          <dt>Duration</dt>
          <dd>
            {run.endedAt === null ? runningTime(ranMs) : duration(ranMs)}
            <span class="faint">
              {clock(run.startedAt, hasSeconds)}
              {run.endedAt === null ? "" : ` – ${clock(run.endedAt, hasSeconds)}`}
            </span>
          </dd>
        </div>
      )}
      {run.model !== null && (
        <div>
          <dt>Model</dt>
          <dd>{run.model}</dd>
        </div>
      )}
      {run.project !== null && (
        <div>
          <dt>Project</dt>
          <dd title={run.workspace ?? undefined}>
            {run.project} {branch !== null && <span class="faint">{branch}</span>}
          </dd>
        </div>
      )}
      {policy !== null && (
        <div>
          <dt>Policy</dt>
          <dd>
            {policy.preset}
            <span class="faint">
              {modeWords[policy.mode] ?? policy.mode}
              {policy.isAttended === null ? "" : policy.isAttended ? ", asks you" : ", asks nobody"}
            </span>
          </dd>
        </div>
      )}
      {goal !== null && (
        <div>
          <dt>Goal</dt>
          <dd title={goal.text}>
            {goal.state === "met" && <Icon name="check" class="ok" />}
            {goal.state === "not met" && <Icon name="x" class="bad" />}
            {goalWords[goal.state]}
          </dd>
        </div>
      )}
    </dl>
  );
}

const modeWords: Readonly<Record<string, string>> = {
  guide: "steps in",
  advise: "only advises",
  observe: "only watches",
};

const goalWords = { met: "Met", "not met": "Not met", open: "Open" } as const;

const guardianReasons = new Set([
  "doom_loop",
  "no_progress",
  "tool_failures",
  "side_effects",
  "chant",
  "monologue",
  "stall",
  "spawn_limit",
  "denials",
]);

/** The state in words, with its colour and glyph. */
function StateChip({ run }: { readonly run: RunRow }) {
  const { level, icon, text } = stateOf(run);
  return (
    <span class={`chip ${level}`}>
      {icon === "pulse" ? <i class="pulse" /> : <Icon name={icon} />}
      {text}
    </span>
  );
}

function stateOf({ state, reason, isLive, waitsFor }: RunRow): {
  level: string;
  icon: IconName | "pulse";
  text: string;
} {
  if (waitsFor !== null) return { level: "warn", icon: "person", text: "Waits for you" };
  if (isLive) return { level: "", icon: "pulse", text: state === "waiting_for_tool" ? "Waits for a tool" : "Running" };
  if (state === "completed") return { level: "recovered", icon: "check", text: "Completed" };
  if (state === "budget_exceeded") return { level: "warn", icon: "limit", text: "Ended at a limit" };
  if (state === "cancelled") return { level: "", icon: "stop", text: "Stopped" };
  if (state === "timed_out") return { level: "warn", icon: "wait", text: "Out of time" };
  if (state === "max_steps") return { level: "warn", icon: "limit", text: "Out of turns" };
  if (state === "broken_off") return { level: "block", icon: "warn", text: "Broken off" };
  if (reason !== null && guardianReasons.has(reason))
    return { level: "halt", icon: "halt", text: "Ended by the guardian" };
  if (reason === "goal_escalated") return { level: "warn", icon: "person", text: "Needs you" };
  return state === "error"
    ? { level: "halt", icon: "x", text: "Failed" }
    : { level: "", icon: "wait", text: "Not running" };
}
