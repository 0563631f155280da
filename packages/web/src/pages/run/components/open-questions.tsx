import { useEffect, useState } from "preact/hooks";
import { Link } from "../../../app/router.tsx";
import type { RunRow } from "../../../contract/index.ts";
import { Icon } from "../../../parts/icon.tsx";
import { useNow } from "../../../parts/use-now.ts";
import { AskCard } from "../../../questions/ask-card.tsx";
import { useCards } from "../../../questions/use-cards.ts";
import { cardKey } from "../../../questions/waiting-cards.ts";

/** What the run asks the user, as cards of the feed. The first open one is selected, so that its keys act. */
export function OpenQuestions({ run }: { readonly run: RunRow }) {
  const { cards, answers, onAnswered, hold } = useCards();
  const own = cards.filter(({ waiting }) => waiting.runId === run.id);
  const [selected, setSelected] = useState<{ readonly key: string; readonly isChosen: boolean } | null>(null);
  const open = own.filter(({ answered }) => answered === undefined).map(({ waiting }) => cardKey(waiting));
  const [firstOpen] = open;
  const isOpen = selected !== null && open.includes(selected.key);
  useEffect(() => {
    if (!isOpen) setSelected(firstOpen === undefined ? null : { key: firstOpen, isChosen: false });
  }, [isOpen, firstOpen]);
  const now = useNow(own.length > 0 ? 1_000 : undefined);
  if (own.length === 0 && run.waitsFor === null) return null;
  if (own.length === 0)
    return (
      <div class="panel run-note">
        <Icon name="person" />
        <p class="grow">This run waits for you.</p>
        <Link class="btn primary" href="/feed">
          Open the feed
        </Link>
      </div>
    );
  return (
    <section class="open-questions" aria-label="What this run asks you" {...hold}>
      {own.map((card) => {
        const key = cardKey(card.waiting);
        return (
          <AskCard
            key={key}
            card={card}
            isSelected={selected?.key === key}
            isChosen={selected?.isChosen === true}
            answers={answers}
            now={now}
            isOnRunPage
            onChoose={(next) => setSelected({ key: next, isChosen: true })}
            onAnswered={onAnswered}
          />
        );
      })}
    </section>
  );
}
