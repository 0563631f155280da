import { useRef } from "preact/hooks";
import { useShortcuts } from "../app/keys.ts";
import { Link, navigate } from "../app/router.tsx";
import type { Waiting } from "../contract/index.ts";
import { taskNote } from "../format/task-note.ts";
import { CommandNote } from "../parts/command-note.tsx";
import { DiffLines } from "../parts/diff-lines.tsx";
import { Icon } from "../parts/icon.tsx";
import { LevelMark } from "../parts/level-mark.tsx";
import { Sentence, sentenceText } from "../parts/sentence.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { ApprovalAnswers } from "./approval-answers.tsx";
import { countdown } from "./countdown.ts";
import { QuestionAnswers } from "./question-answers.tsx";
import { ReplyAnswers } from "./reply-answers.tsx";
import { useAnswer } from "./use-answer.ts";
import { cardKey, type WaitingCard } from "./waiting-cards.ts";

interface AskCardProps {
  readonly card: WaitingCard;
  readonly isSelected: boolean;
  /** When the card was selected without a press of the user: keys act a moment later, to hit no other card. */
  readonly selectedAt: number;
  readonly now: number;
  /** Leaves out the ways to the page of the run. */
  readonly isOnRunPage?: boolean;
  readonly onSelect: (key: string) => void;
  readonly onAnswered: (key: string, text: string) => void;
}

const SETTLE_MS = 600;

/** Something that waits for the user: what is asked, why, what happens without an answer, and the answers. */
export function AskCard(props: AskCardProps) {
  const { card, isSelected, selectedAt, now, isOnRunPage = false, onSelect, onAnswered } = props;
  const { waiting, answered } = card;
  const key = cardKey(waiting);
  const task = taskNote(waiting.task, sentenceText(waiting.title));
  const element = useRef<HTMLElement>(null);
  const { sent, answer } = useAnswer(waiting, (text) => onAnswered(key, text));
  const isEnabled = answered === undefined && waiting.canAnswer && !sent.isSending && sent.result?.isDone !== true;
  const onKey = (action: () => void) => () => {
    if (!isEnabled || performance.now() - selectedAt < SETTLE_MS) return;
    if (isInView(element.current)) action();
    else element.current?.scrollIntoView({ block: "center" });
  };
  const runPath = `/runs/${encodeURIComponent(waiting.runId)}`;
  useShortcuts(
    "The selected question",
    isSelected && !isOnRunPage ? [{ keys: "o", label: "Open its run", action: () => navigate(runPath) }] : [],
  );
  const answers: AnswersProps = { waiting, sent, isEnabled, answer, onKey, isSelected, isOnRunPage };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys j and k select it too
    <article
      class={`panel ask ${answered === undefined ? "" : "done"}`}
      id={`ask-${key}`}
      ref={element}
      tabIndex={-1}
      aria-labelledby={`title-${key}`}
      {...(isSelected ? { "aria-current": "true" } : {})}
      onClick={() => onSelect(key)}
      onFocusIn={() => onSelect(key)}
    >
      <header>
        <KindMark waiting={waiting} />
        <Link class="grow cut" href={runPath}>
          {[waiting.project, `turn ${waiting.turn}`].filter((part) => part !== null).join(", ")}
        </Link>
        <span class="num">{answered === undefined ? countdown(waiting, now) : ""}</span>
      </header>
      <div class="body">
        <h3 id={`title-${key}`}>
          <Sentence parts={waiting.title} />
        </h3>
        {task !== null && !isOnRunPage && <p class="task cut">{task}</p>}
        <Evidence waiting={waiting} />
        {waiting.facts.length > 0 && (
          <dl class="why">
            {waiting.facts.map(({ name, value }, index) => (
              <div key={index}>
                <dt>{name}</dt>
                <dd>
                  <Sentence parts={value} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        <p class="faint otherwise">{waiting.otherwise}</p>
      </div>
      {answered !== undefined ? <Answered text={answered.text} /> : <Answers {...answers} />}
    </article>
  );
}

function Answers(props: AnswersProps) {
  const { waiting, sent } = props;
  if (!waiting.canAnswer)
    return (
      <footer>
        <p class="muted">No process takes answers for this run from here. Answer in its terminal.</p>
      </footer>
    );
  return (
    <footer>
      {waiting.kind === "question" && <QuestionAnswers {...props} />}
      {waiting.kind === "approval" && <ApprovalAnswers {...props} />}
      {waiting.kind === "reply" && <ReplyAnswers {...props} />}
      {sent.result !== undefined && <CommandNote result={sent.result} />}
    </footer>
  );
}

function Answered({ text }: { readonly text: string }) {
  return (
    <footer>
      <p class="row" role="status">
        <Icon name="check" />
        {text}
      </p>
    </footer>
  );
}

function KindMark({ waiting }: { readonly waiting: Waiting }) {
  if (waiting.kind === "question" && waiting.level !== null)
    return <LevelMark level={waiting.level} text="Guardian asks" />;
  const look = { question: "limit", approval: "gate", reply: "text" } as const;
  const word = { question: "Limit", approval: "Approval", reply: "Question" };
  return (
    <span class="row kind">
      <Icon name={look[waiting.kind]} />
      {word[waiting.kind]}
    </span>
  );
}

/** The command with its newest failure, and the change. */
function Evidence({ waiting: { command, output, diff } }: { readonly waiting: Waiting }) {
  return (
    <>
      {(command !== null || output !== null) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll inside it
        <pre class="out" tabIndex={0}>
          {command !== null && `$ ${command}`}
          {command !== null && output !== null && "\n"}
          {output !== null && <span class="err">{output}</span>}
        </pre>
      )}
      {diff !== null && <DiffLines diff={diff} />}
    </>
  );
}

/** Whether the head of a card and its answers can be seen. */
function isInView(element: HTMLElement | null): boolean {
  if (element === null) return false;
  const { top, bottom, height } = element.getBoundingClientRect();
  const [from, to] = [48, window.innerHeight];
  const visible = Math.min(bottom, to) - Math.max(top, from);
  return visible > Math.min(height, to - from) * 0.6;
}
