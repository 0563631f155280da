import { useEffect, useRef, useState } from "preact/hooks";
import { connection } from "../../app/live.ts";
import type { FeedItem } from "../../contract/index.ts";
import { longDate, shortDate, startOfDay } from "../../format/times.ts";
import { Icon } from "../../parts/icon.tsx";
import { KeysHint } from "../../parts/keys-hint.tsx";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import { OlderButton } from "../../parts/older-button.tsx";
import { ActivityItem } from "./activity-item.tsx";
import type { Activity } from "./use-activity.ts";

interface ActivityPanelProps {
  readonly activity: Activity;
  readonly isPaused: boolean;
  readonly selectedKey: string | undefined;
  readonly liveIds: ReadonlySet<string>;
  readonly onPause: () => void;
  readonly onScrolledAway: (isAway: boolean) => void;
  readonly onSelect: (key: string) => void;
}

/** What happened in all runs, newest first. */
export function ActivityPanel(props: ActivityPanelProps) {
  const { activity, isPaused, selectedKey, liveIds, onPause, onScrolledAway, onSelect } = props;
  const { shown, held } = activity;
  const head = useRef<HTMLDivElement>(null);
  useScrolledAway(head, onScrolledAway);
  const showNew = () => {
    activity.showNew();
    head.current?.scrollIntoView({ block: "start" });
  };
  const newest = shown[0]?.at;
  const isLive = connection.value.type === "open" && !isPaused;
  return (
    <section class="panel" aria-labelledby="activity">
      <div class="phead" ref={head}>
        <h2 id="activity">Activity</h2>
        {isLive && <span class="pulse" />}
        <p class="grow">
          {isPaused ? "Paused." : isLive ? "Live." : "Not live."} {newest !== undefined && shortDate(newest)}
        </p>
        <span class="faint desk row" aria-hidden="true">
          <KeysHint keys="j k" /> move
        </span>
        <button class="btn small quiet" type="button" aria-pressed={isPaused} onClick={onPause}>
          {isPaused ? "Continue" : "Pause"}
          <KeysHint keys="." />
        </button>
      </div>
      {held > 0 && (
        <button class="btn primary fresh" type="button" onClick={showNew}>
          <Icon name="raise" />
          {held} new
        </button>
      )}
      <Loaded document={activity.document} frame={<FramePanel lines={8} height="420px" />}>
        {({ nextBefore }) => (
          <>
            <ul class="feed">
              {shown.map((item, index) => (
                <ItemWithDay
                  key={item.key}
                  item={item}
                  newer={shown[index - 1]}
                  isSelected={item.key === selectedKey}
                  isLive={liveIds.has(item.runId)}
                  onSelect={onSelect}
                />
              ))}
            </ul>
            {shown.length === 0 && <p class="empty">Nothing has happened yet.</p>}
            {nextBefore !== null && (
              <div class="feed-end">
                <OlderButton text="Older activity" state={activity.older} onWanted={activity.loadOlder} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface ItemWithDayProps {
  readonly item: FeedItem;
  readonly newer: FeedItem | undefined;
  readonly isSelected: boolean;
  readonly isLive: boolean;
  readonly onSelect: (key: string) => void;
}

/** An item, after the name of its day where another day begins. */
function ItemWithDay({ item, newer, ...rest }: ItemWithDayProps) {
  const isNewDay = newer !== undefined && startOfDay(newer.at) !== startOfDay(item.at);
  return (
    <>
      {isNewDay && <li class="day">{longDate(item.at)}</li>}
      <ActivityItem item={item} {...rest} />
    </>
  );
}

/** Reports whether the head of the list is above what can be seen. */
function useScrolledAway(head: { readonly current: HTMLElement | null }, onChange: (isAway: boolean) => void): void {
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    if (head.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry !== undefined) setAway(!entry.isIntersecting && entry.boundingClientRect.top < 0);
      },
      { rootMargin: "-48px 0px 0px 0px" },
    );
    observer.observe(head.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => onChange(isAway), [isAway]);
}
