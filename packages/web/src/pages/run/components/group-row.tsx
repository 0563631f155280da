import { usd } from "../../../format/amounts.ts";
import { clock } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import type { Call } from "../model/call.ts";
import { valueAt } from "../model/run-model.ts";
import { lookWords, turnRange } from "../model/step-text.ts";
import type { RowOf } from "../model/story.ts";
import { kindIcons } from "./call-status.tsx";
import { Fold } from "./fold.tsx";
import type { StoryContext } from "./story-context.ts";
import { StoryFrame } from "./story-frame.tsx";

const MAX_SHOWN = 40;

/** Calls that only looked at something, as one row. */
export function LookRow({ row, context }: { readonly row: RowOf<"look">; readonly context: StoryContext }) {
  const { calls } = row;
  const first = calls[0];
  const last = calls.at(-1);
  const distinct = withCounts(calls);
  const { costs } = context.model;
  const cost = (valueAt(costs, (last?.at ?? 0) + (last?.ms ?? 0)) ?? 0) - (valueAt(costs, row.at - 60_000) ?? 0);
  return (
    <StoryFrame
      rowKey={row.key}
      seq={row.seq}
      at={row.at}
      icon="read"
      isSelected={context.selectedKey === row.key}
      what="these calls"
    >
      <Fold
        id={row.key}
        context={context}
        summary={
          <>
            <b>Looked around</b>
            <span class="faint">
              {turnRange(first?.turn ?? 0, last?.turn ?? 0)} · {lookWords(calls.map(({ kind }) => kind))}
              {cost > 0.005 ? ` · ${usd(cost)}` : ""}
            </span>
          </>
        }
      >
        <ul class="between">
          {distinct.slice(0, MAX_SHOWN).map(({ call, count }) => (
            <li>
              <Icon name={kindIcons[call.kind]} class="faint" />
              <code class="cut">{call.text}</code>
              {count > 1 && <span class="times">×{count}</span>}
            </li>
          ))}
          {distinct.length > MAX_SHOWN && <li class="faint">and {distinct.length - MAX_SHOWN} more</li>}
        </ul>
      </Fold>
    </StoryFrame>
  );
}

/** Each call once, with how often it was made. */
function withCounts(calls: readonly Call[]): readonly { readonly call: Call; readonly count: number }[] {
  const counts = new Map<string, { readonly call: Call; count: number }>();
  for (const call of calls) {
    const known = counts.get(call.key);
    if (known === undefined) counts.set(call.key, { call, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()];
}

/** Notes about the same, as one row. */
export function NotesRow({ row, context }: { readonly row: RowOf<"notes">; readonly context: StoryContext }) {
  const last = row.notes.at(-1);
  return (
    <StoryFrame
      rowKey={row.key}
      seq={row.seq}
      at={row.at}
      icon={last?.severity === "info" ? "hint" : "warn"}
      isSelected={context.selectedKey === row.key}
      what="these notes"
    >
      <Fold
        id={row.key}
        context={context}
        summary={
          <>
            <span class="muted cut">{last?.text}</span>
            <span class="times">×{row.notes.length}</span>
          </>
        }
      >
        <ul class="between">
          {row.notes.slice(0, MAX_SHOWN).map(({ at, text }) => (
            <li>
              <time class="faint num">{clock(at, true)}</time>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </Fold>
    </StoryFrame>
  );
}
