import { Box, Static, Text, useCursor } from "ink";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { ChatStore } from "../chat-store.ts";
import type { ChatEntry } from "../state/chat-entry.ts";
import type { Drawing } from "../view/drawing.ts";
import { entryLines } from "../view/entry-lines.ts";
import { screenOf } from "../view/screen.ts";
import type { ViewOptions } from "../view/view-options.ts";
import { keepHeight } from "./keep-height.ts";

interface ChatViewProps {
  readonly store: ChatStore;
  readonly options: ViewOptions;
  /** The index of the first entry that is not in the scrollback yet. */
  readonly first: number;
  /** Receives the part that changes, and the number of entries in the scrollback. */
  readonly onDraw: (drawing: Drawing, printed: number) => void;
}

/** The whole chat: finished entries are printed to the scrollback once, the part that changes is below them. */
export function ChatView({ store, options, first, onDraw }: ChatViewProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { setCursorPosition } = useCursor();
  const finished = useMemo(
    () => state.entries.slice(first).map((entry, index) => ({ entry, id: first + index })),
    [state.entries, first],
  );
  const previous = useRef({ height: 0, printed: first });
  const printedRows = state.entries
    .slice(previous.current.printed)
    .reduce((sum, entry) => sum + entryLines(entry, options).length, 0);
  const drawing = keepHeight(screenOf(state, options), { height: previous.current.height, printedRows });
  setCursorPosition(drawing.cursor);
  useLayoutEffect(() => {
    previous.current = { height: drawing.lines.length, printed: state.entries.length };
    onDraw(drawing, state.entries.length);
  });
  return (
    <>
      <Static items={finished}>{({ entry, id }) => <Finished key={id} entry={entry} options={options} />}</Static>
      <Lines lines={drawing.lines} />
    </>
  );
}

function Finished({ entry, options }: { readonly entry: ChatEntry; readonly options: ViewOptions }): ReactNode {
  return <Lines lines={entryLines(entry, options)} />;
}

/** Lines that already fit into the window. */
function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  const rows = lines.map((line, index) => ({ text: line === "" ? " " : line, id: index }));
  return (
    <Box flexDirection="column">
      {rows.map(({ text, id }) => (
        <Text key={id} wrap="truncate-end">
          {text}
        </Text>
      ))}
    </Box>
  );
}
