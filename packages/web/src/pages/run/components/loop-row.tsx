import { usd } from "../../../format/amounts.ts";
import { Icon } from "../../../parts/icon.tsx";
import { masked } from "../model/between.ts";
import { errorLine } from "../model/error-line.ts";
import { valueAt } from "../model/run-model.ts";
import { stepText, turnRange } from "../model/step-text.ts";
import type { RowOf } from "../model/story.ts";
import { Output } from "./call-output.tsx";
import { kindIcons } from "./call-status.tsx";
import { Fold } from "./fold.tsx";
import { GuardianSteps } from "./guardian-steps.tsx";
import { type LoopRowProps, LoopSections } from "./loop-sections.tsx";
import { useRunClock } from "./run-clock.ts";
import { StoryFrame } from "./story-frame.tsx";

/** From this number on, a fold stands out in the story. */
const LARGE = 5;

/** Equal calls as one row. Opened: what the guardian did, what differs, what lay in between. */
export function LoopRow({ row, context }: LoopRowProps) {
  const { calls, steps, isRecovered } = row;
  const [first] = calls;
  const isSelected = context.selectedKey === row.key;
  const isRefused = first?.refusedBy !== null;
  const isLarge = calls.length >= LARGE && !isRefused;
  const strongest = steps.findLast((step) => step.type === "guardian");
  const level = isRefused ? "block" : isRecovered ? "recovered" : isLarge ? undefined : strongest?.intervention.level;
  const icon = isRefused ? "block" : isRecovered ? "recovered" : kindIcons[first?.kind ?? "run"];
  if (first === undefined) return null;
  return (
    <StoryFrame
      rowKey={row.key}
      seq={row.seq}
      at={row.at}
      icon={icon}
      level={level}
      isSelected={isSelected}
      what="this repetition"
    >
      <Fold
        id={row.key}
        context={context}
        class={isLarge ? "loop" : ""}
        isOpenByDefault={isLarge && steps.length > 0}
        summary={isLarge ? <LargeSummary row={row} context={context} /> : <SmallSummary row={row} context={context} />}
      >
        {isLarge ? <LoopSections row={row} context={context} /> : <SmallBody row={row} context={context} />}
      </Fold>
    </StoryFrame>
  );
}

function sameWords(row: RowOf<"fold">): string {
  const { calls } = row;
  const errors = new Set(
    calls.slice(0, 50).map(({ content, isFailed }) => (isFailed ? masked(errorLine(content)) : "")),
  );
  if (calls.every(({ isFailed }) => isFailed)) return errors.size === 1 ? "same error" : "failed each time";
  const results = new Set(calls.slice(0, 50).map(({ content }) => masked(content)));
  if (calls.some(({ isFailed }) => isFailed)) return `${calls.filter(({ isFailed }) => isFailed).length} failed`;
  return results.size === 1 ? "same result" : "";
}

function LargeSummary({ row, context }: LoopRowProps) {
  const timeOf = useRunClock();
  const { calls, at, endAt, isRecovered } = row;
  const last = calls.at(-1);
  const { costs } = context.model;
  const cost = (valueAt(costs, endAt) ?? 0) - (valueAt(costs, at - 1) ?? 0);
  const isFailing = last?.isFailed === true;
  const words = sameWords(row);
  return (
    <>
      <code>{calls[0]?.text}</code>
      <span class="times">×{calls.length.toLocaleString("en-US")}</span>
      {words !== "" && <span class={isFailing ? "bad" : "muted"}>{words}</span>}
      {isRecovered && <RecoveredChip />}
      <span class="sum-2">
        {timeOf(at) !== null && (
          <span class="num">
            {timeOf(at)} – {timeOf(endAt)}
          </span>
        )}
        {cost > 0.005 && <span class="num">{usd(cost)}</span>}
        <span class="num">{turnRange(calls[0]?.turn ?? 0, last?.turn ?? 0)}</span>
        {isFailing && <code class="bad cut">{errorLine(last.content)}</code>}
      </span>
    </>
  );
}

function SmallSummary({ row, context }: LoopRowProps) {
  const { calls, steps, isRecovered } = row;
  const [first] = calls;
  const steered = steps.filter((step) => step.type === "guardian");
  const words = [
    ...(first?.refusedBy === null ? [sameWords(row)] : []),
    ...steered.slice(0, 2).map((step) => {
      const { title } = stepText(step, context.interventions.get(step.seq));
      return title.replace(/\.$/, "").toLowerCase();
    }),
  ].filter((word) => word !== "");
  return (
    <>
      <code class="cut">{first?.text}</code>
      <span class="times">×{calls.length}</span>
      {first?.refusedBy === "guardian" && (
        <span class="lvl block">
          <Icon name="block" />
          refused by the guardian
        </span>
      )}
      {words.length > 0 && <span class="muted">{words.join(", ")}</span>}
      {isRecovered && <RecoveredChip />}
      <span class="faint">{turnRange(first?.turn ?? 0, calls.at(-1)?.turn ?? 0)}</span>
    </>
  );
}

function RecoveredChip() {
  return (
    <span class="chip recovered">
      <Icon name="recovered" />
      recovered
    </span>
  );
}

function SmallBody({ row, context }: LoopRowProps) {
  const last = row.calls.at(-1);
  return (
    <>
      {row.steps.length > 0 && <GuardianSteps steps={row.steps} context={context} />}
      {last !== undefined && (
        <Output
          text={last.content.slice(0, 4_000)}
          error={last.isFailed ? errorLine(last.content) : ""}
          label="The last result"
        />
      )}
    </>
  );
}
