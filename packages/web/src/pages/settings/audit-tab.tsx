import { useEffect, useState } from "preact/hooks";
import { load } from "../../api/client.ts";
import { useReloadOnEvents } from "../../app/live.ts";
import { Link } from "../../app/router.tsx";
import type { AuditPage } from "../../contract/index.ts";
import { riskClassText } from "../../contract/risk-classes.ts";
import { clock, shortDate } from "../../format/times.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import { Segments } from "../../parts/segments.tsx";
import { useDocument } from "../../parts/use-document.ts";

type Entry = AuditPage["entries"][number];
type Decision = Entry["decision"];

const decisions = [
  { value: "all", text: "All" },
  { value: "allow", text: "Allowed" },
  { value: "ask", text: "Asked" },
  { value: "deny", text: "Denied" },
] as const;
const marks = {
  allow: { icon: "check", level: "quiet", word: "allowed" },
  ask: { icon: "person", level: "hint", word: "asked" },
  deny: { icon: "block", level: "block", word: "denied" },
} as const satisfies Record<Decision, { readonly icon: IconName; readonly level: string; readonly word: string }>;
const deciders = { gate: "gate", guardian: "guardian", guard: "guard" } as const satisfies Record<Entry["by"], string>;
const PAGE = 100;
const MOST = 500;
const TYPING_MS = 250;

/** Decisions about calls, the newest first, with filters. */
export function AuditTab() {
  const [decision, setDecision] = useState<Decision | "all">("all");
  const [runText, setRunText] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const run = useSettled(runText.trim());
  const audit = useDocument(`audit ${decision} ${run} ${limit}`, (signal) =>
    load("audit", {
      query: { limit, ...(decision === "all" ? {} : { decision }), ...(run === "" ? {} : { run }) },
      signal,
    }),
  );
  useReloadOnEvents(audit.reload, 2_000);
  return (
    <>
      <div class="filters">
        <Segments label="Decision" value={decision} options={decisions} onChange={setDecision} />
        <input
          class="field"
          type="search"
          placeholder="Id of a run"
          aria-label="Only decisions of this run"
          value={runText}
          onInput={(event) => setRunText(event.currentTarget.value)}
        />
      </div>
      <Loaded document={audit} frame={<FramePanel lines={10} />}>
        {({ entries }) => (
          <>
            {entries.length === 0 && (
              <p class="panel pad">
                {decision === "all" && run === ""
                  ? "No call was decided about yet."
                  : "No decision matches the filter."}
              </p>
            )}
            {entries.length > 0 && (
              <section class="panel" aria-label="Decisions about calls">
                <ul class="audit key-rows">
                  {entries.map((entry) => (
                    <AuditRow key={entry.id} entry={entry} onRun={() => setRunText(entry.runId)} />
                  ))}
                </ul>
                {entries.length >= limit && limit < MOST && (
                  <p class="more">
                    <button type="button" class="btn quiet small" onClick={() => setLimit(MOST)}>
                      Show more
                    </button>
                  </p>
                )}
              </section>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const outcomeWords: Readonly<Record<string, string>> = {
  harmless: "harmless",
  near_miss: "stopped in time",
  incident: "did harm",
  corrected: "corrected later",
  unknown: "outcome not known",
};

function AuditRow({ entry, onRun }: { readonly entry: Entry; readonly onRun: () => void }) {
  const { at, tool, input, by, tier, decision, reason, answer, outcome, runId } = entry;
  const { icon, level, word } = marks[decision];
  return (
    <li>
      <span class={`lvl ${level}`}>
        <Icon name={icon} />
        {word}
      </span>
      <div class="grow">
        <p class="call">
          <b>{tool}</b> <code>{input}</code>
        </p>
        <p class="muted">
          {reason}
          {answer !== null && <>. Answer: {answer}</>}
        </p>
      </div>
      <p class="faint by">
        <span>
          {deciders[by]}
          {tier !== null && `, ${riskClassText(tier)}`}
        </span>
        <span>{outcome === null ? null : (outcomeWords[outcome] ?? outcome)}</span>
      </p>
      <p class="faint when">
        <time dateTime={new Date(at).toISOString()}>
          {shortDate(at)} {clock(at)}
        </time>
        <span>
          <Link class="link" href={`/runs/${encodeURIComponent(runId)}`}>
            run
          </Link>
          <button type="button" class="link plain" aria-label={`only this run: ${runId}`} onClick={onRun}>
            only this run
          </button>
        </span>
      </p>
    </li>
  );
}

/** A text after a moment without typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
