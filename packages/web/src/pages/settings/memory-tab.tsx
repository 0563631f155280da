import { load } from "../../api/client.ts";
import { useReloadOnEvents } from "../../app/live.ts";
import type { MemoryPage } from "../../contract/index.ts";
import { counted, percent } from "../../format/amounts.ts";
import { shortDate } from "../../format/times.ts";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import { useDocument } from "../../parts/use-document.ts";

/** What runs have saved for later runs. */
export function MemoryTab() {
  const memory = useDocument("memory", (signal) => load("memory", { signal }));
  useReloadOnEvents(memory.reload, 3_000);
  return (
    <Loaded
      document={memory}
      frame={
        <div class="two">
          <FramePanel lines={6} />
          <FramePanel lines={6} />
        </div>
      }
    >
      {({ facts, lessons }) => (
        <div class="two">
          <Facts facts={facts} />
          <Lessons lessons={lessons} />
        </div>
      )}
    </Loaded>
  );
}

function Facts({ facts }: Pick<MemoryPage, "facts">) {
  return (
    <section class="panel" aria-labelledby="facts">
      <div class="phead">
        <h2 id="facts">Facts</h2>
        <p>{facts.length > 0 && counted(facts.length, "fact")}</p>
      </div>
      {facts.length === 0 && (
        <p class="muted pad">
          No fact is saved yet. A run saves one with <code>memory_write</code>.
        </p>
      )}
      <ul class="memory">
        {facts.map(({ id, at, text, tags }) => (
          <li key={id}>
            <p>{text}</p>
            <p class="faint">
              <time dateTime={new Date(at).toISOString()}>{shortDate(at)}</time>
              {tags.map((tag) => (
                <span key={tag} class="tag">
                  {tag}
                </span>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lessons({ lessons }: Pick<MemoryPage, "lessons">) {
  return (
    <section class="panel" aria-labelledby="lessons">
      <div class="phead">
        <h2 id="lessons">Lessons</h2>
        <p>{lessons.length > 0 && counted(lessons.length, "lesson")}</p>
      </div>
      {lessons.length === 0 && (
        <p class="muted pad">No lesson is saved yet. They come from calls that you corrected or that did harm.</p>
      )}
      <ul class="memory">
        {lessons.map(({ id, at, action, rule, confidence }) => (
          <li key={id}>
            <p>{rule}</p>
            <p class="faint">
              <time dateTime={new Date(at).toISOString()}>{shortDate(at)}</time>
              <code>{action}</code>
              <span>{percent(confidence)} sure</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
