import { useEffect, useRef, useState } from "preact/hooks";
import { sentenceText } from "../parts/sentence.tsx";
import { overview } from "./overview.ts";

/** Announces each new question once, politely. Those that wait when the page opens are in the count of the bar. */
export function Announcer() {
  const waiting = overview.value?.waiting;
  const known = useRef<Set<string> | undefined>(undefined);
  const [text, setText] = useState("");
  useEffect(() => {
    if (waiting === undefined) return;
    const fresh = waiting.filter(({ id }) => known.current !== undefined && !known.current.has(id));
    known.current = new Set([...(known.current ?? []), ...waiting.map(({ id }) => id)]);
    if (fresh.length === 0) return;
    setText(fresh.map(({ title, project }) => `${project ?? "A run"} waits for you: ${sentenceText(title)}`).join(" "));
  }, [waiting]);
  return (
    <div class="vh" aria-live="polite">
      {text}
    </div>
  );
}
