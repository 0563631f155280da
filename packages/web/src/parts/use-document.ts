import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** A document of the API: the newest one, what went wrong at the last attempt, and whether it is on its way. */
export interface LoadedDocument<Value> {
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  /** The status of the failed answer; 0 if the server did not answer. */
  readonly status: number | undefined;
  readonly isLoading: boolean;
  /** Loads it again. Calls while it is loading are joined into one. */
  readonly reload: () => void;
}

/** Loads a document, and again whenever `key` changes. The old one stays until the new one is there. */
export function useDocument<Value>(
  key: string,
  loadValue: (signal: AbortSignal) => Promise<Value>,
): LoadedDocument<Value> {
  const [state, setState] = useState<Omit<LoadedDocument<Value>, "reload">>({
    value: undefined,
    problem: undefined,
    status: undefined,
    isLoading: true,
  });
  const latest = useRef(loadValue);
  latest.current = loadValue;
  const running = useRef<{ controller: AbortController; isAgain: boolean } | undefined>(undefined);

  const reload = useCallback(() => {
    if (running.current !== undefined) {
      running.current.isAgain = true;
      return;
    }
    const request = { controller: new AbortController(), isAgain: false };
    running.current = request;
    setState((before) => ({ ...before, isLoading: true }));
    latest
      .current(request.controller.signal)
      .then((value) => ({ value, problem: undefined, status: undefined }))
      .catch((error: unknown) => ({
        problem: error instanceof Error ? error.message : String(error),
        status: typeof error === "object" && error !== null && "status" in error ? Number(error.status) : undefined,
      }))
      .then((outcome) => {
        if (running.current !== request) return; // the page asks for another document meanwhile
        running.current = undefined;
        setState((before) => ({ ...before, ...outcome, isLoading: false }));
        if (request.isAgain) reload();
      });
  }, []);

  useEffect(() => {
    running.current?.controller.abort();
    running.current = undefined;
    reload();
    return () => {
      running.current?.controller.abort();
      running.current = undefined;
    };
  }, [key]);

  return { ...state, reload };
}
