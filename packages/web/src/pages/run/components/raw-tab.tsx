import { useMemo, useState } from "preact/hooks";
import type { WireEvent } from "../../../contract/index.ts";
import { clock } from "../../../format/times.ts";
import { Icon } from "../../../parts/icon.tsx";
import { LongList } from "./long-list.tsx";

interface RawTabProps {
  readonly events: readonly WireEvent[];
  readonly version: number;
  readonly selectedSeq: number | null;
  readonly target: { readonly key: string } | null;
}

const MAX_LINE = 160;

/** Every event as it was saved. */
export function RawTab({ events, version, selectedSeq, target }: RawTabProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => events.map((event, index) => ({ event, key: `${event.seq}-${index}` })), [version]);
  const targetRow = useMemo(
    () => (target === null ? null : { index: rows.findIndex(({ event }) => event.seq === selectedSeq) }),
    [target],
  );
  const toggle = (key: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  return (
    <LongList
      class="lines raw"
      label="Raw events"
      rows={rows}
      keyOf={({ key }) => key}
      estimate={() => 33}
      render={({ event, key }) => (
        <li key={key} data-key={key} class={event.seq === selectedSeq ? "sel" : ""}>
          <button type="button" class="line" aria-expanded={open.has(key)} onClick={() => toggle(key)}>
            <Icon name="chev" class="chev" />
            <time class="faint num">{clock(event.at, true)}</time>
            <span class="faint num number">{event.seq}</span>
            <b>{event.type}</b>
            <code class="cut grow faint">{bodyText(event)}</code>
          </button>
          {open.has(key) && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region can take the focus
            <pre class="out" tabIndex={0}>
              {JSON.stringify(event, null, 2)}
            </pre>
          )}
        </li>
      )}
      target={targetRow}
    />
  );
}

/** What is special about an event, on one line. */
function bodyText(event: WireEvent): string {
  const { type: _type, seq: _seq, at: _at, sessionId: _session, runId: _run, severity: _severity, ...body } = event;
  const text = JSON.stringify(body, (_, value: unknown) =>
    typeof value === "string" && value.length > MAX_LINE ? value.slice(0, MAX_LINE) : value,
  );
  return text === "{}" ? "" : text.slice(1, MAX_LINE);
}
