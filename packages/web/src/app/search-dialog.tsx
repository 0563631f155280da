import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { load } from "../api/client.ts";
import type { RunRow } from "../contract/index.ts";
import { taskNote } from "../format/task-note.ts";
import { shortDate } from "../format/times.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { KeysHint } from "../parts/keys-hint.tsx";
import { sentenceText } from "../parts/sentence.tsx";
import { openDialog } from "./dialogs.ts";
import { navigate } from "./router.tsx";
import { excerptAround, matchingEntries, type SearchEntry } from "./search-entries.ts";
import { sitePages } from "./site-map.ts";
import { switchTheme } from "./theme.ts";

/** Jumps to a page or a run, or does a command, all from the keyboard. */
export function SearchDialog() {
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  const runs = useFoundRuns(text);
  const entries = useMemo(
    () => [...matchingEntries(fixedEntries, text), ...runs.map((run) => runEntry(run, text))],
    [text, runs],
  );
  const list = useRef<HTMLDivElement>(null);
  const index = Math.min(selected, entries.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [index, entries]);

  const choose = (entry: SearchEntry | undefined) => {
    if (entry === undefined) return;
    openDialog.value = undefined;
    setTimeout(entry.action); // after the dialog has given the focus back
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setSelected((index + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === "Enter" && !event.isComposing) choose(entries[index]);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog title="Search or jump to" class="search" isBare onClose={close}>
      <div class="search-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded="true"
          aria-controls="search-list"
          aria-activedescendant={entries[index] === undefined ? undefined : `found-${index}`}
          autocomplete="off"
          spellcheck={false}
          placeholder="Search runs, or jump to a page"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setSelected(0);
          }}
          onKeyDown={onKeyDown}
        />
        <KeysHint keys="Escape" />
      </div>
      <div class="search-list" id="search-list" role="listbox" aria-label="Results" ref={list}>
        {entries.map((entry, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={entry.id}
            id={`found-${position}`}
            role="option"
            tabIndex={-1}
            aria-selected={position === index}
            onMouseMove={() => setSelected(position)}
            onClick={() => choose(entry)}
          >
            {entries[position - 1]?.group !== entry.group && <span class="search-group">{entry.group}</span>}
            <span class="found">
              <Icon name={entry.icon} />
              <span class="grow cut">
                {entry.label}
                {entry.detail !== undefined && <span class="faint">{` · ${entry.detail}`}</span>}
              </span>
              {entry.note !== undefined && <span class="faint">{entry.note}</span>}
              {entry.keys !== undefined && <KeysHint keys={entry.keys} />}
            </span>
          </div>
        ))}
      </div>
      {entries.length === 0 && <p class="faint found-none">Nothing matches “{text}”.</p>}
    </Dialog>
  );
}

function close(): void {
  openDialog.value = undefined;
}

const fixedEntries: readonly SearchEntry[] = [
  ...sitePages.map(({ path, name, icon, key }) => ({
    id: path,
    group: "Pages" as const,
    icon,
    label: name,
    keys: `g ${key}`,
    action: () => navigate(path),
  })),
  {
    id: "new-run",
    group: "Commands",
    icon: "play",
    label: "New run",
    words: "start",
    action: () => {
      openDialog.value = "new-run";
    },
  },
  {
    id: "theme",
    group: "Commands",
    icon: "theme",
    label: "Switch between light and dark",
    words: "theme colour color mode",
    action: switchTheme,
  },
  {
    id: "keys",
    group: "Commands",
    icon: "text",
    label: "Keyboard shortcuts",
    words: "keys help",
    keys: "?",
    action: () => {
      openDialog.value = "keys";
    },
  },
];

function runEntry(run: RunRow, text: string): SearchEntry {
  const label = sentenceText(run.sentence);
  const detail = whyFound(run, label, text);
  return {
    id: run.id,
    group: "Runs",
    icon: run.kind === "recording" ? "read" : "runs",
    label,
    ...(detail === undefined ? {} : { detail }),
    note: [run.project, run.isLive ? "live" : shortDate(run.startedAt)].filter((part) => part !== null).join(", "),
    action: () => navigate(`/runs/${encodeURIComponent(run.id)}`),
  };
}

/** The task of a run, or the part of its prompt that has the words if neither sentence nor task has one. */
function whyFound({ task, prompt }: RunRow, label: string, text: string): string | undefined {
  const isTold = text.trim() === "" || excerptAround(`${label} ${task}`, text) !== undefined;
  return (isTold ? undefined : excerptAround(prompt, text)) ?? taskNote(task, label) ?? undefined;
}

/** Runs that match the text, a moment after the last key; the newest ones for an empty text. */
function useFoundRuns(text: string): readonly RunRow[] {
  const [runs, setRuns] = useState<readonly RunRow[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const words = text.trim();
    const timer = setTimeout(
      () => {
        const query = { limit: words === "" ? 5 : 12, ...(words === "" ? {} : { text: words }) };
        load("runs", { query, signal: controller.signal })
          .then((page) => setRuns([...page.live, ...page.runs].slice(0, 15)))
          .catch(() => undefined); // pages and commands are still found
      },
      words === "" ? 0 : 150,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return runs;
}
