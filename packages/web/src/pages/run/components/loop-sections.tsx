import { useMemo } from "preact/hooks";
import { clock } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import { differencesOf } from "../model/differences.ts";
import { ordinal } from "../model/step-text.ts";
import type { RowOf } from "../model/story.ts";
import { CallOutput } from "./call-output.tsx";
import { kindIcons } from "./call-status.tsx";
import { GuardianSteps } from "./guardian-steps.tsx";
import type { StoryContext } from "./story-context.ts";

export interface LoopRowProps {
  readonly row: RowOf<"fold">;
  readonly context: StoryContext;
}

/** An open repetition: what the guardian did, what differs, what lay in between, and the selected call. */
export function LoopSections({ row, context }: LoopRowProps) {
  const { calls, steps, between } = row;
  const differences = useMemo(() => differencesOf(calls), [calls.length, calls.at(-1)?.status, row.key]);
  const selected = calls.find(({ seq, endSeq }) => seq === context.selectedSeq || endSeq === context.selectedSeq);
  const isFirst = selected?.seq === calls[0]?.seq;
  return (
    <>
      {steps.length > 0 && (
        <section>
          <h3>What the guardian did</h3>
          <GuardianSteps steps={steps} context={context} />
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
