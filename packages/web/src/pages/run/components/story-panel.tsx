import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { counted } from "../../../format/amounts.ts";
import { Icon, type IconName } from "../../../parts/icon.tsx";
import { filesOf } from "../model/files.ts";
import type { LiveState } from "../model/live-overlay.ts";
import type { Row, Story } from "../model/story.ts";
import { isShown, type StoryFilter } from "../model/story-filter.ts";
import { CallsTab } from "./calls-tab.tsx";
import { FilesTab } from "./files-tab.tsx";
import { LongList } from "./long-list.tsx";
import { NowRows } from "./now-rows.tsx";
import { RawTab } from "./raw-tab.tsx";
import type { StoryContext } from "./story-context.ts";
import { estimatedHeight, StoryRow } from "./story-row.tsx";
import type { StoryTab } from "./story-tab.ts";

interface StoryPanelProps {
  readonly story: Story;
  readonly context: StoryContext;
  readonly live: LiveState;
  readonly version: number;
  /** Whether all saved events are there: later rows are new. */
  readonly hasEvents: boolean;
  readonly tab: StoryTab;
  readonly onTab: (tab: StoryTab) => void;
  readonly filter: StoryFilter;
  readonly onFilter: (filter: StoryFilter) => void;
  /** The row to bring into view, by its key. */
  readonly target: { readonly key: string } | null;
}

/** The story, and the same run as calls, files or raw events. */
export function StoryPanel(props: StoryPanelProps) {
  const { story, context, live, version, hasEvents, tab, onTab, filter, onFilter, target } = props;
  const { model, detail } = context;
  const files = useMemo(() => filesOf(model.calls), [version]);
  const { isLive, waitsFor } = detail.run;
  const rows = useMemo(
    () => story.rows.filter((row) => isShown(row, filter) && !(isLive && isRunningCall(row))),
    [story, filter, isLive],
  );
  const targetRow = useMemo(
    () => (target === null ? null : { index: rows.findIndex(({ key }) => key === target.key) }),
    [target],
  );
  const end = useRef<HTMLDivElement>(null);
  const unseen = useUnseen(rows.length, isLive && hasEvents && tab === "story", end);
  const tabs: readonly (readonly [StoryTab, string, number | null])[] = [
    ["story", "Story", null],
    ["calls", "Calls", model.calls.length],
    ["files", "Files", files.length],
    ["raw", "Raw events", null],
  ];
  return (
    <section aria-labelledby="story-h" class="story-panel">
      <h2 class="vh" id="story-h">
        {tabs.find(([name]) => name === tab)?.[1]}
      </h2>
      <div class="cols-bar">
        <fieldset class="seg" aria-label="View">
          {tabs.map(([name, text, count]) => (
            <button type="button" aria-pressed={tab === name} onClick={() => onTab(name)}>
              {text} {count !== null && <span class="faint">{count.toLocaleString("en-US")}</span>}
            </button>
          ))}
        </fieldset>
        <span class="grow" />
        {tab === "story" && (
          <fieldset class="set desk" aria-label="Filter">
            {filters.map(([name, text, icon]) => (
              <button
                type="button"
                class="btn quiet small filter"
                aria-pressed={filter === name}
                onClick={() => onFilter(filter === name ? null : name)}
              >
                <Icon name={icon} />
                {text}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {tab === "story" && (
        <>
          {rows.length === 0 && filter !== null && <EmptyFilter filter={filter} onClear={() => onFilter(null)} />}
          <LongList
            class="story"
            label="Story"
            rows={rows}
            keyOf={({ key }) => key}
            estimate={estimatedHeight}
            render={(row) => <StoryRow key={row.key} row={row} context={context} />}
            target={targetRow}
          />
          {isLive && filter === null && <NowRows live={live} isWaitingForUser={waitsFor !== null} />}
          <div ref={end} />
          {unseen > 0 && (
            <button
              type="button"
              class="btn primary new-rows"
              onClick={() => end.current?.scrollIntoView({ block: "end" })}
            >
              <Icon name="down" />
              {unseen} new
            </button>
          )}
        </>
      )}
      {tab === "calls" && <CallsTab calls={model.calls} version={version} context={context} target={target} />}
      {tab === "files" && <FilesTab files={files} onTab={onTab} />}
      {tab === "raw" && (
        <RawTab events={model.events} version={version} selectedSeq={context.selectedSeq} target={target} />
      )}
      {tab === "raw" && <p class="faint">{counted(model.events.length, "event")}. Long texts are cut.</p>}
    </section>
  );
}

/** A call that runs is shown with what happens now. */
function isRunningCall(row: Row): boolean {
  return row.type === "item" && row.item.type === "call" && row.item.call.status === null;
}

const filters: readonly (readonly [Exclude<StoryFilter, null>, string, IconName])[] = [
  ["guardian", "Guardian", "gate"],
  ["failures", "Failures", "x"],
  ["edits", "Edits", "edit"],
];

function EmptyFilter({
  filter,
  onClear,
}: {
  readonly filter: Exclude<StoryFilter, null>;
  readonly onClear: () => void;
}) {
  const texts = {
    guardian: "The guardian had nothing to say in this run.",
    failures: "No call failed in this run.",
    edits: "No file was changed in this run.",
  } as const;
  return (
    <p class="empty">
      {texts[filter]}{" "}
      <button type="button" class="btn small" onClick={onClear}>
        Clear the filter
      </button>
    </p>
  );
}

/** How many rows came while the end of a live story was out of sight; a reader at the end follows it. */
function useUnseen(count: number, isLive: boolean, end: { readonly current: HTMLDivElement | null }): number {
  const [seen, setSeen] = useState(count);
  const isAtEnd = useRef(false);
  useEffect(() => {
    const element = end.current;
    if (!isLive || element === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      isAtEnd.current = entry?.isIntersecting === true;
      if (isAtEnd.current) setSeen(Number.POSITIVE_INFINITY);
      else setSeen((before) => (before === Number.POSITIVE_INFINITY ? -1 : before));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLive]);
  useEffect(() => setSeen(count), [isLive]);
  useEffect(() => {
    if (seen === -1) setSeen(count);
    if (isLive && isAtEnd.current && window.scrollY > 100) end.current?.scrollIntoView({ block: "end" });
  }, [count, seen]);
  return isLive && seen >= 0 && seen < count ? count - seen : 0;
}
