import { Box, Static, Text, useCursor } from "ink";
import { type ReactNode, useMemo, useSyncExternalStore } from "react";
import type { ChatStore } from "../chat-store.ts";
import type { ChatEntry } from "../state/chat-entry.ts";
import type { Drawing } from "../view/drawing.ts";
import { entryLines } from "../view/entry-lines.ts";
import type { ViewOptions } from "../view/view-options.ts";
import { screenOf } from "../view/screen.ts";

/** What is drawn, and what of it is told back: the part that changes, and how many entries are in the scrollback. */
interface ChatViewProps {
  readonly store: ChatStore;
  readonly look: ViewOptions;
  /** The entries before it are in the scrollback. */
  readonly first: number;
  readonly onDrawn: (drawn: Drawing, printed: number) => void;
}

/** The whole chat: what is finished goes to the scrollback once, below it is what changes. */
export function ChatView({ store, look, first, onDrawn }: ChatViewProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { setCursorPosition } = useCursor();
  const finished = useMemo(
    () => state.entries.slice(first).map((entry, place) => ({ entry, id: first + place })),
    [state.entries, first],
  );
  const drawn = screenOf(state, look);
  setCursorPosition(drawn.cursor);
  onDrawn(drawn, state.entries.length);
  return (
    <>
      <Static items={finished}>{({ entry, id }) => <Finished key={id} entry={entry} look={look} />}</Static>
      <Lines lines={drawn.lines} />
    </>
  );
}

function Finished({ entry, look }: { readonly entry: ChatEntry; readonly look: ViewOptions }): ReactNode {
  return <Lines lines={entryLines(entry, look)} />;
}

/** Lines that fit as they are. */
function Lines({ lines }: { readonly lines: readonly string[] }): ReactNode {
  const placed = lines.map((line, place) => ({ text: line === "" ? " " : line, id: place })); // a line is known by its place
  return (
    <Box flexDirection="column">
      {placed.map(({ text, id }) => (
        <Text key={id} wrap="truncate-end">
          {text}
        </Text>
      ))}
    </Box>
  );
}
