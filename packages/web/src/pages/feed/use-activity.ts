import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { load } from "../../api/client.ts";
import { useReloadOnEvents } from "../../app/live.ts";
import type { FeedItem } from "../../contract/index.ts";
import { type LoadedDocument, useDocument } from "../../parts/use-document.ts";
import { type ActivityList, itemsUpTo, withNewestPage, withOlderItems } from "./feed-items.ts";

export type ActivityGroup = "all" | "guardian" | "money" | "ended";

const PAGE = 60;

export interface Activity {
  readonly document: LoadedDocument<ActivityList>;
  readonly shown: readonly FeedItem[];
  /** New items that wait until the reader wants them. */
  readonly held: number;
  /** Shows what was held back. */
  readonly showNew: () => void;
  readonly older: "ready" | "loading" | "failed";
  readonly loadOlder: () => void;
}

/** The activity of all runs. While it is held, new items are counted and not shown. */
export function useActivity(group: ActivityGroup, isHeld: boolean): Activity {
  const filter = group === "all" ? {} : { group };
  const newest = useDocument(group, (signal) =>
    load("feed", { query: { ...filter, limit: PAGE }, signal }).then((page) => ({ group, page })),
  );
  const [loaded, setLoaded] = useState<{ readonly group: ActivityGroup; readonly list: ActivityList } | undefined>();
  useEffect(() => {
    const answer = newest.value;
    if (answer === undefined) return;
    setLoaded((before) => ({
      group: answer.group,
      list: withNewestPage(before?.group === answer.group ? before.list : undefined, answer.page),
    }));
  }, [newest.value]);
  useReloadOnEvents(newest.reload, 700);

  const items = loaded?.list.items ?? [];
  const newestPosition = items[0]?.position ?? 0;
  const [heldAt, setHeldAt] = useState<number | undefined>(undefined);
  const heldGroup = useRef(group);
  useEffect(() => {
    if (!isHeld) setHeldAt(undefined);
    else if (loaded !== undefined && (heldAt === undefined || heldGroup.current !== loaded.group))
      setHeldAt(newestPosition);
    heldGroup.current = loaded?.group ?? group;
  }, [isHeld, loaded?.group]);

  const [older, setOlder] = useState<Activity["older"]>("ready");
  const before = loaded?.group === group ? loaded.list.nextBefore : null;
  const isBusy = useRef(false);
  const loadOlder = useCallback(async () => {
    if (before === null || isBusy.current) return;
    isBusy.current = true;
    setOlder("loading");
    const page = await load("feed", { query: { ...filter, limit: PAGE, before } }).catch(() => undefined);
    isBusy.current = false;
    setOlder(page === undefined ? "failed" : "ready");
    if (page === undefined) return;
    setLoaded((current) => (current?.group === group ? { group, list: withOlderItems(current.list, page) } : current));
  }, [before, group]);

  return {
    document: { ...newest, value: loaded?.list },
    ...itemsUpTo(items, heldAt),
    showNew: () => setHeldAt(isHeld ? newestPosition : undefined),
    older,
    loadOlder,
  };
}
