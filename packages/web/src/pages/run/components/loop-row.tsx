import { useMemo } from "preact/hooks";
import { usd } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import { differencesOf } from "../model/differences.ts";
import { errorLine } from "../model/error-line.ts";
import { valueAt } from "../model/run-model.ts";
import { ordinal, stepText, turnRange } from "../model/step-text.ts";
import { masked, type RowOf, type Step } from "../model/story.ts";
import { timeText } from "../model/time-text.ts";
import { Anchor } from "./anchor.tsx";
import { CallOutput, Output } from "./call-output.tsx";
import { kindIcons } from "./call-status.tsx";
import { Fold } from "./fold.tsx";
import type { StoryContext } from "./story-context.ts";
import { StoryFrame } from "./story-frame.tsx";

interface LoopRowProps {
  readonly row: RowOf<"fold">;
  readonly context: StoryContext;
}

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
        {timeText(at) !== null && (
          <span class="num">
            {timeText(at)} – {timeText(endAt)}
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
      {row.steps.length > 0 && <Steps steps={row.steps} context={context} />}
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

function LoopSections({ row, context }: LoopRowProps) {
  const { calls, steps, between } = row;
  const differences = useMemo(() => differencesOf(calls), [calls.length, calls.at(-1)?.status, row.key]);
  const selected = calls.find(({ seq, endSeq }) => seq === context.selectedSeq || endSeq === context.selectedSeq);
  const isFirst = selected?.seq === calls[0]?.seq;
  return (
    <>
      {steps.length > 0 && (
        <section>
          <h3>What the guardian did</h3>
          <Steps steps={steps} context={context} />
        </section>
      )}
      <section>
        <h3>
          What differs <span>between the {calls.length} occurrences</span>
        </h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus */}
        <div class="scroll-x" tabIndex={0}>
          <table class="diffs">
            <thead>
              <tr>
                <td />
                {differences.columns.map((index) => (
                  <th scope="col">
                    <a href={`#e${calls[index]?.endSeq ?? calls[index]?.seq ?? 0}`}>{ordinal(index + 1)}</a>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {differences.rows.map((each) => (
                <tr>
                  <th scope="row">{each.name}</th>
                  {"same" in each ? (
                    <td class="same" colSpan={differences.columns.length}>
                      {each.same}
                    </td>
                  ) : (
                    each.values.map((value) => (
                      <td>
                        <mark>{value}</mark>
                      </td>
                    ))
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      {between.length > 0 && (
        <section>
          <h3>In between</h3>
          <ul class="between">
            {between.map(({ kind, text, count, call, isSame }) => (
              <li>
                <Icon name={kind === "text" || call === null ? "text" : kindIcons[call.kind]} class="faint" />
                {kind === "text" ? <span class="cut">“{text.slice(0, 160)}”</span> : <code class="cut">{text}</code>}
                {count > 1 && <span class="times">×{count}</span>}
                {count > 1 && <span class="faint">{betweenWords(kind, isSame, call?.kind)}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {selected !== undefined && !isFirst && (
        <section>
          <h3>
            Call {selected.number} <span>{clock(selected.at, true)}</span>
          </h3>
          <CallOutput call={selected} runId={context.detail.run.id} />
        </section>
      )}
    </>
  );
}

function betweenWords(kind: "call" | "text", isSame: boolean, callKind: string | undefined): string {
  if (kind === "text") return isSame ? "the same words" : "nearly the same words";
  if (callKind === "edit") return isSame ? "the same change" : "small changes";
  return isSame ? "same answer" : "other answers";
}

const SAME_MOMENT_MS = 10_000;

/** Whether the step of the guardian before an answer, or before the mute that it means, says it already. */
function isTold(step: Step, { interventions }: StoryContext): boolean {
  if (step.type !== "answer" && step.type !== "muted") return false;
  return [...interventions.values()].some(({ id, episode, answer }) => {
    if (answer === null) return false;
    if (step.type === "answer") return id === step.interventionId;
    return episode === step.episode && Math.abs(answer.at - step.at) < SAME_MOMENT_MS;
  });
}

function Steps({ steps, context }: { readonly steps: readonly Step[]; readonly context: StoryContext }) {
  return (
    <ol class="steps">
      {steps
        .filter((step) => !isTold(step, context))
        .map((step) => {
          const { icon, level, title, detail } = stepText(step, context.interventions.get(step.seq));
          const isSelected = step.seq === context.selectedSeq;
          return (
            <li class={level ?? ""} id={`e${step.seq}`} aria-current={isSelected ? "true" : undefined}>
              <Icon name={icon} />
              <time>{timeText(step.at) ?? `turn ${step.turn}`}</time>
              <span>
                <a href={`#e${step.seq}`}>{isSelected ? <b>{title}</b> : title}</a> <span class="muted">{detail}</span>
              </span>
              <span class="num">
                {"costUsd" in step && step.costUsd !== null && usd(step.costUsd)}{" "}
                <Anchor seq={step.seq} what="this step" />
              </span>
            </li>
          );
        })}
    </ol>
  );
}
