import { useEffect, useState } from "preact/hooks";
import { useShortcuts } from "../../../app/keys.ts";
import { location, navigate } from "../../../app/router.tsx";
import type { CommandResult } from "../../../contract/index.ts";
import { copyText } from "../../../parts/copy-text.ts";
import type { Row, Story } from "../model/story.ts";
import { isShown, type StoryFilter } from "../model/story-filter.ts";
import type { StoryContext } from "./story-context.ts";

interface RunKeysOptions {
  readonly story: Story;
  readonly filter: StoryFilter;
  readonly context: StoryContext;
  /** The row that is marked as selected. */
  readonly shownRow: Row | undefined;
  /** The row that the user chose; without one, the keys begin with the first. */
  readonly chosenRow: Row | undefined;
  readonly select: (seq: number) => void;
  readonly step: (direction: -1 | 1) => void;
  readonly resumeCommand: string | null;
  readonly selectedSeq: number | null;
}

const SHOWN_MS = 2_500;

/** The keys of the page of a run. Returns what came of a key that copies, for a moment. */
export function useRunKeys(options: RunKeysOptions): CommandResult | undefined {
  const [copied, setCopied] = useState<CommandResult | undefined>(undefined);
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (text: string) => void copyText(text).then(setCopied);
  const { story, filter, context, shownRow, chosenRow, select, step, resumeCommand, selectedSeq } = options;
  const move = (direction: -1 | 1) => {
    const rows = story.rows.filter((row) => isShown(row, filter));
    const index = rows.findIndex(({ key }) => key === chosenRow?.key);
    const next = rows[index < 0 ? 0 : index + direction];
    if (next !== undefined) select(next.seq);
  };
  const toggle = () => {
    if (shownRow === undefined) return;
    const isLarge = shownRow.type === "fold" && shownRow.calls.length >= 5 && shownRow.steps.length > 0;
    context.setOpen(shownRow.key, !context.isOpen(shownRow.key, isLarge));
  };
  const { path, search } = location.value;
  useShortcuts("Story", [
    { keys: "j", label: "Next row", action: () => move(1) },
    { keys: "k", label: "Previous row", action: () => move(-1) },
    { keys: "]", label: "Next intervention", action: () => step(1) },
    { keys: "[", label: "Previous intervention", action: () => step(-1) },
    { keys: "x", label: "Open or close a fold", action: toggle },
    { keys: "Enter", label: "Open or close a fold", action: toggle },
    {
      keys: "y",
      label: "Copy the link to the selected event",
      action: () => copy(`${window.location.origin}${path}${search}${selectedSeq === null ? "" : `#e${selectedSeq}`}`),
    },
    ...(resumeCommand === null
      ? []
      : [{ keys: "c", label: "Copy the command that resumes the run", action: () => copy(resumeCommand) }]),
    {
      keys: "Escape",
      label: "Back",
      action: () =>
        navigate(location.value.hash === "" ? "/runs" : `${path}${search}`, { isReplaced: location.value.hash !== "" }),
    },
  ]);
  return copied;
}
