import { useEffect, useRef, useState } from "preact/hooks";
import { command } from "../api/client.ts";
import type { CommandResult } from "../contract/index.ts";

/** A command that a button sends: whether it is on its way, and what came of it. */
export interface CommandState {
  readonly isSending: boolean;
  readonly result: CommandResult | undefined;
  /** Sends a command, unless one is on its way. Resolves with what came of it. */
  readonly send: (start: () => Promise<CommandResult>) => Promise<CommandResult | undefined>;
  /** Shows a result that needs no server, such as "Copied". */
  readonly show: (result: CommandResult) => void;
  readonly clear: () => void;
}

/** Sends commands one at a time and keeps the newest result, to be shown beside the button that was pressed. */
export function useCommand(): CommandState {
  const [isSending, setSending] = useState(false);
  const [result, setResult] = useState<CommandResult | undefined>(undefined);
  const isBusy = useRef(false);
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  return {
    isSending,
    result,
    async send(start) {
      if (isBusy.current) return undefined;
      isBusy.current = true;
      setSending(true);
      const newResult = await command(start());
      isBusy.current = false;
      if (!isShown.current) return newResult;
      setSending(false);
      setResult(newResult);
      return newResult;
    },
    show: setResult,
    clear: () => setResult(undefined),
  };
}
