import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { load } from "../../api/client.ts";
import { openStream } from "../../api/stream.ts";
import { useLive } from "../../app/live.ts";
import type { EventsPage, RunDetail, StreamMessage, WireEvent } from "../../contract/index.ts";
import { type LoadedDocument, useDocument } from "../../parts/use-document.ts";
import { useReloadEvery } from "../../parts/use-reload-every.ts";
import { createLiveOverlay, type LiveState } from "./model/live-overlay.ts";
import { createRunModel, type RunModel } from "./model/run-model.ts";

/** Everything that the page knows about its run. `version` changes when model or live state have changed. */
export interface LoadedRun {
  readonly detail: LoadedDocument<RunDetail>;
  readonly model: RunModel;
  readonly live: LiveState;
  readonly version: number;
  /** Whether all saved events are there. */
  readonly hasEvents: boolean;
  readonly eventsProblem: string | undefined;
  readonly unreadable: number;
}

/** The head has the sentence and the state of the run: it is loaded again at most this often while events arrive. */
const HEAD_EVERY_MS = 1_000;
const RENDER_EVERY_MS = 150;
const RECORDING_EVERY_MS = 3_000;

/** Loads a run and follows it: the head, then the saved events page by page, then the live stream. */
export function useRun(id: string): LoadedRun {
  const detail = useDocument<RunDetail>(id, (signal) => load("run", { params: { id }, signal }));
  const [attempt, setAttempt] = useState(0);
  const [version, setVersion] = useState(0);
  const [status, setStatus] = useState<{ hasEvents: boolean; problem?: string; unreadable: number; position?: number }>(
    {
      hasEvents: false,
      unreadable: 0,
    },
  );
  const model = useMemo(createRunModel, [id, attempt]);
  const overlay = useMemo(createLiveOverlay, [id, attempt]);
  const render = useThrottled(() => setVersion((before) => before + 1), RENDER_EVERY_MS);
  const reloadHead = useThrottled(detail.reload, HEAD_EVERY_MS);

  const addSaved = useCallback(
    (events: readonly WireEvent[]) => {
      const own = events.filter(({ runId }) => runId === id);
      if (own.length === 0) return;
      for (const event of own) {
        model.add([event]);
        overlay.addSaved(event);
      }
      reloadHead();
      render();
    },
    [id, model, overlay],
  );

  useEffect(() => {
    const controller = new AbortController();
    setStatus({ hasEvents: false, unreadable: 0 });
    loadEvents(id, controller.signal, (page) => {
      model.add(page.events);
      for (const event of page.events) overlay.addSaved(event);
      setVersion((before) => before + 1);
    })
      .then(({ unreadable, position }) => setStatus({ hasEvents: true, unreadable, position }))
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        setStatus({ hasEvents: true, unreadable: 0, problem });
      });
    return () => controller.abort();
  }, [id, model, overlay]);

  const session = detail.value?.run.sessionId ?? "";
  const isFollowed = detail.value?.run.isLive === true && status.position !== undefined && session !== "";
  useEffect(() => {
    if (!isFollowed || status.position === undefined) return undefined;
    const onMessage = (message: StreamMessage) => {
      if (message.type === "reset") setAttempt((before) => before + 1);
      if (message.type === "events") {
        addSaved(message.events);
        reloadHead(); // also after events of subagents: the run pays for them
      }
      if (message.type !== "live") return;
      for (const event of message.events) if (event.runId === id) overlay.addLive(event, model.lastSeq);
      render();
    };
    const stream = openStream({ session, after: status.position, onMessage });
    return () => stream.close();
  }, [isFollowed, session, status.position, addSaved]);

  const { recordingMs, version: recordingVersion } = recordingToFollow(detail.value);
  useReloadEvery(detail.reload, recordingMs);
  const shownVersion = useRef<string | undefined>(undefined);
  useEffect(() => {
    const isNew = shownVersion.current !== undefined && shownVersion.current !== recordingVersion;
    shownVersion.current = recordingVersion;
    if (isNew && recordingVersion !== undefined) setAttempt((before) => before + 1);
  }, [recordingVersion]);

  // A run that has ended can be resumed: then its page is loaded again.
  const onShared = useCallback(
    (message: StreamMessage) => {
      if (isFollowed || message.type !== "events" || !status.hasEvents) return;
      addSaved(message.events);
    },
    [isFollowed, id, status.hasEvents, addSaved],
  );
  useLive(onShared);

  return {
    detail,
    model,
    live: overlay.state,
    version,
    hasEvents: status.hasEvents,
    eventsProblem: status.problem,
    unreadable: status.unreadable,
  };
}

/** How often a recording that is being written is loaded again, and what changes when its events have. */
function recordingToFollow(detail: RunDetail | undefined): { recordingMs?: number; version?: string } {
  if (detail?.run.kind !== "recording") return {};
  const { isLive, turns, costUsd, doing, endedAt } = detail.run;
  const version = JSON.stringify([isLive, turns, costUsd, doing, endedAt, detail.interventions.length]);
  return { version, ...(isLive ? { recordingMs: RECORDING_EVERY_MS } : {}) };
}

async function loadEvents(
  id: string,
  signal: AbortSignal,
  onPage: (page: EventsPage) => void,
): Promise<{ readonly unreadable: number; readonly position: number }> {
  let after = 0;
  let unreadable = 0;
  for (;;) {
    const page = (await load("events", { params: { id }, query: { after }, signal })) as EventsPage; // by the contract
    onPage(page);
    unreadable = Math.max(unreadable, page.unreadable); // each page has the number of the whole run
    const last = page.events.at(-1);
    if (!page.hasMore || last === undefined) return { unreadable, position: page.position };
    after = last.seq;
  }
}

/** Calls `action` at most once in a time, and once after the last request for it. */
function useThrottled(action: () => void, everyMs: number): () => void {
  const latest = useRef(action);
  latest.current = action;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, everyMs);
  }, [everyMs]);
}
