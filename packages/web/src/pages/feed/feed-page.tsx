import { useMemo, useState } from "preact/hooks";
import { load } from "../../api/client.ts";
import { useReloadOnEvents } from "../../app/live.ts";
import { overview } from "../../app/overview.ts";
import { Segments } from "../../parts/segments.tsx";
import { useDocument } from "../../parts/use-document.ts";
import { useNow } from "../../parts/use-now.ts";
import { AskCard } from "../../questions/ask-card.tsx";
import { useCards } from "../../questions/use-cards.ts";
import { cardKey } from "../../questions/waiting-cards.ts";
import { ActivityPanel } from "./activity.tsx";
import { feedSummary } from "./feed-summary.ts";
import { LiveRuns } from "./live-runs.tsx";
import { type ActivityGroup, useActivity } from "./use-activity.ts";
import { useFeedSelection } from "./use-feed-selection.ts";

const groups: readonly { readonly value: ActivityGroup; readonly text: string }[] = [
  { value: "all", text: "Everything" },
  { value: "guardian", text: "Guardian" },
  { value: "money", text: "Money" },
  { value: "ended", text: "Ended" },
];

/** The page `/feed`: what waits for the user, then what happened, and the live runs beside it. */
export default function FeedPage() {
  const [group, setGroup] = useState<ActivityGroup>("all");
  const [isPaused, setPaused] = useState(false);
  const [isScrolledAway, setScrolledAway] = useState(false);
  const { cards, answers, onAnswered, hold } = useCards();
  const activity = useActivity(group, isPaused || isScrolledAway);
  const live = useDocument("live", (signal) => load("runs", { query: { state: "live", limit: 1 }, signal }));
  useReloadOnEvents(live.reload, 1_000);
  const runs = live.value?.live ?? [];
  const liveIds = useMemo(() => new Set(live.value?.live.map(({ id }) => id)), [live.value]);
  const now = useNow(1_000);
  const pause = () => setPaused(!isPaused);
  const selection = useFeedSelection({ cards, items: activity.shown, onPause: pause });
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <h1>Feed</h1>
          <p>{overview.value === undefined ? " " : feedSummary(overview.value.waiting.length, runs)}</p>
        </div>
        <Segments label="Show" value={group} options={groups} onChange={setGroup} />
      </div>
      {cards.length > 0 && (
        <section class="waiting-cards" aria-labelledby="waiting" {...hold}>
          <h2 class="vh" id="waiting">
            Waiting for you
          </h2>
          {cards.map((card) => (
            <AskCard
              key={cardKey(card.waiting)}
              card={card}
              isSelected={selection.cardKey === cardKey(card.waiting)}
              isChosen={selection.isChosen}
              answers={answers}
              now={now}
              onChoose={selection.selectCard}
              onAnswered={(key, text) => {
                onAnswered(key, text);
                selection.selectNext(key);
              }}
            />
          ))}
        </section>
      )}
      <div class="feed-cols">
        <ActivityPanel
          activity={activity}
          isPaused={isPaused}
          selectedKey={selection.itemKey}
          liveIds={liveIds}
          onPause={pause}
          onScrolledAway={setScrolledAway}
          onSelect={selection.selectItem}
        />
        <div class="feed-side">
          <LiveRuns runs={runs} now={now} />
        </div>
      </div>
    </>
  );
}
