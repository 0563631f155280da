import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { load } from "../../api/client.ts";
import { useReloadOnEvents } from "../../app/live.ts";
import type { RunsPage } from "../../contract/index.ts";
import { type LoadedDocument, useDocument } from "../../parts/use-document.ts";
import { useReloadEvery } from "../../parts/use-reload-every.ts";
import { parseRunFilter } from "./run-filter.ts";
import { type RunList, withFirstPage, withOlderPage } from "./run-list.ts";

const PAGE = 60;
const LIVE_RECORDING_MS = 3_000;
/** A session of an attached agent is listed at the latest after this time. */
const NEW_RECORDING_MS = 15_000;

interface FilteredList {
  readonly filter: string;
  readonly list: RunList;
  readonly projects: readonly string[];
  readonly models: readonly string[];
  readonly sources: readonly string[];
}

/** Kept while another page is shown, so that going back shows the same rows at the same place. */
let kept: FilteredList | undefined;

export interface LoadedRuns {
  readonly document: LoadedDocument<FilteredList>;
  /** Why a term of the filter cannot be read. */
  readonly filterProblem: string | undefined;
  readonly older: "ready" | "loading" | "failed";
  readonly loadOlder: () => void;
}

/** The runs that match a filter. The first page is loaded again after events, older ones when they are wanted. */
export function useRunList(filter: string): LoadedRuns {
  const { query, problem: filterProblem } = useMemo(() => parseRunFilter(filter, Date.now()), [filter]);
  const first = useDocument(filter, (signal) =>
    load("runs", { query: { ...query, limit: PAGE }, signal }).then((page) => ({ filter, page })),
  );
  const [loaded, setLoaded] = useState<FilteredList | undefined>(kept?.filter === filter ? kept : undefined);
  useEffect(() => {
    const answer = first.value;
    if (answer === undefined) return;
    setLoaded((before) => {
      const list = withFirstPage(before?.filter === answer.filter ? before.list : undefined, answer.page);
      kept = { filter: answer.filter, list, ...facets(answer.page) };
      return kept;
    });
  }, [first.value]);
  useReloadOnEvents(first.reload, 1_000);
  const hasLiveRecording = loaded?.list.live.some(({ kind }) => kind === "recording") === true;
  useReloadEvery(first.reload, hasLiveRecording ? LIVE_RECORDING_MS : NEW_RECORDING_MS);

  const [older, setOlder] = useState<LoadedRuns["older"]>("ready");
  const isBusy = useRef(false);
  const before = loaded?.filter === filter ? loaded.list.nextBefore : null;
  const loadOlder = useCallback(async () => {
    if (before === null || isBusy.current) return;
    isBusy.current = true;
    setOlder("loading");
    const page = await load("runs", { query: { ...query, limit: PAGE, before } }).catch(() => undefined);
    isBusy.current = false;
    setOlder(page === undefined ? "failed" : "ready");
    if (page === undefined) return;
    setLoaded((current) => {
      if (current === undefined || current.filter !== filter) return current;
      kept = { ...current, list: withOlderPage(current.list, page) };
      return kept;
    });
  }, [before, filter, query]);

  return { document: { ...first, value: loaded }, filterProblem, older, loadOlder };
}

function facets({ projects, models, sources }: RunsPage): Omit<FilteredList, "filter" | "list"> {
  return { projects, models, sources };
}
