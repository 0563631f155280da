import { useMemo } from "preact/hooks";
import { counted } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Drawing, Lane } from "./lane.tsx";
import type { LaneContext } from "./lane-context.ts";

const HEIGHT = 48;
const words = { accept: "Accepted", retry: "Try again", escalate: "Needs you", continue: "Continue" } as const;
const states = { met: "Met", "not met": "Not met", open: "Open" } as const;

/** The judge's verdicts about the goal; left out of runs without one. */
export function GoalLane({ context }: { readonly context: LaneContext }) {
  const { detail, model, version, axis, now } = context;
  const verdicts = useMemo(() => model.items.filter((item) => item.type === "verdict"), [version]);
  if (verdicts.length === 0 && detail.goal === null) return null;
  const retries = verdicts.filter(({ verdict }) => verdict.verdict === "retry").length;
  const byRule = verdicts.every(({ verdict }) => verdict.model === undefined);
  const state = detail.goal?.state ?? "open";
  const endX = Math.min(100, axis.x(now));
  return (
    <Lane
      title="Goal"
      detail={
        verdicts.length === 0 ? "no verdict yet" : `${counted(verdicts.length, "verdict")}${byRule ? ", by rule" : ""}`
      }
      height={HEIGHT}
      value={states[state]}
      {...(retries > 0 ? { valueDetail: `retry ×${retries}` } : {})}
    >
      <Drawing height={HEIGHT} label={`Goal: ${states[state]}, ${counted(verdicts.length, "verdict")}`}>
        <path d={`M0 24H${endX * 10}`} stroke="var(--line-2)" />
      </Drawing>
      {verdicts.map(({ seq, at, verdict }) => {
        const x = axis.x(at);
        if (x < 0 || x > 100) return null;
        const reason = verdict.reason === undefined ? "" : `: ${verdict.reason}`;
        const text = `${words[verdict.verdict]}, ${clock(at)}${reason}`;
        return (
          <a
            class={`pin small ${verdict.verdict === "escalate" ? "warn" : ""}`}
            style={{ "--x": x }}
            href={`#e${seq}`}
            title={text}
            aria-label={text}
          >
            {verdict.verdict === "accept" ? (
              <Icon name="check" />
            ) : verdict.verdict === "escalate" ? (
              <Icon name="person" />
            ) : (
              <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
                <circle cx="8" cy="8" r="5.6" />
                {verdict.verdict === "retry" && <path class="solid" d="M8 2.4a5.6 5.6 0 0 1 0 11.2Z" />}
              </svg>
            )}
          </a>
        );
      })}
      {state !== "open" && endX > 0 && axis.x(now) <= 100.5 && (
        <span
          class={`pin ${state === "met" ? "recovered" : "halt"}`}
          style={{ "--x": Math.min(99.4, endX), "--y": "14.5px" }}
        >
          <Icon name={state === "met" ? "check" : "x"} />
        </span>
      )}
    </Lane>
  );
}
