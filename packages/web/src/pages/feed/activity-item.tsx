import { memo } from "preact/compat";
import { post } from "../../api/client.ts";
import { Link } from "../../app/router.tsx";
import type { FeedItem } from "../../contract/index.ts";
import { usd } from "../../format/amounts.ts";
import { clock } from "../../format/times.ts";
import { CommandNote } from "../../parts/command-note.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Sentence } from "../../parts/sentence.tsx";
import { useCommand } from "../../parts/use-command.ts";
import { itemLook } from "./item-look.ts";

interface ActivityItemProps {
  readonly item: FeedItem;
  readonly isSelected: boolean;
  /** Whether its run is live now. */
  readonly isLive: boolean;
  readonly onSelect: (key: string) => void;
}

/** One thing that happened, with a link to its event. */
export const ActivityItem = memo(function ActivityItem({ item, isSelected, isLive, onSelect }: ActivityItemProps) {
  const { icon, tone } = itemLook(item);
  const sent = useCommand();
  const path = itemPath(item);
  const canResume = item.kind === "ended" && item.status === "failed" && !isLive;
  return (
    <li id={itemId(item.key)} {...(isSelected ? { "aria-current": "true" } : {})} onFocusIn={() => onSelect(item.key)}>
      <time dateTime={new Date(item.at).toISOString()}>{clock(item.at, true)}</time>
      <span class={`dot ${tone} ${item.isApplied ? "" : "would"}`}>
        <Icon name={icon} />
      </span>
      <div class="what">
        <Sentence parts={item.sentence} /> <span class="of">{item.project}</span>
        {item.detail.length > 0 && (
          <p class="q">
            <Sentence parts={item.detail} />
          </p>
        )}
        <CommandNote result={sent.result} />
      </div>
      <div class="row">
        <StatusMark item={item} />
        {item.costUsd !== null && <span class="num faint">{usd(item.costUsd)}</span>}
        {canResume && sent.result?.isDone !== true && (
          <button
            class="btn small"
            type="button"
            disabled={sent.isSending}
            onClick={() => sent.send(() => post("resume", {}, { params: { id: item.runId } }))}
          >
            <Icon name="play" />
            Resume
          </button>
        )}
        {item.kind === "limit" && isLive && (
          <Link class="btn small" href="/budgets">
            <Icon name="raise" />
            Raise
          </Link>
        )}
        <Link class="anchor" href={path} aria-label="Open this event in its run">
          <Icon name="link" />
        </Link>
      </div>
    </li>
  );
});

function StatusMark({ item: { status, statusText } }: Pick<ActivityItemProps, "item">) {
  if (statusText === null) return null;
  if (statusText === "refused") return <span class="st muted">{statusText}</span>;
  const isFailed = status === "failed";
  return (
    <span class={`st ${isFailed ? "bad" : "ok"}`}>
      <Icon name={isFailed ? "x" : "check"} />
      {statusText}
    </span>
  );
}

/** The address of the event on the page of its run. */
export function itemPath({ runId, seq }: Pick<FeedItem, "runId" | "seq">): string {
  return `/runs/${encodeURIComponent(runId)}#e${seq}`;
}

/** The id of an item's row. */
export function itemId(key: string): string {
  return `item-${key}`;
}
