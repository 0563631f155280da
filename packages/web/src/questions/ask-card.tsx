import { useRef, useState } from "preact/hooks";
import { useShortcuts } from "../app/keys.ts";
import { Link, navigate } from "../app/router.tsx";
import type { Waiting } from "../contract/index.ts";
import { taskNote } from "../format/task-note.ts";
import { clippedText, visibleText } from "../format/visible-text.ts";
import { CommandNote } from "../parts/command-note.tsx";
import { DiffLines } from "../parts/diff-lines.tsx";
import { Icon } from "../parts/icon.tsx";
import { LevelMark } from "../parts/level-mark.tsx";
import { Sentence, sentenceText } from "../parts/sentence.tsx";
import type { AnswersProps } from "./answers-props.ts";
import { ApprovalAnswers } from "./approval-answers.tsx";
import { countdown } from "./countdown.ts";
import { isInView } from "./is-in-view.ts";
import { QuestionAnswers } from "./question-answers.tsx";
import { ReplyAnswers } from "./reply-answers.tsx";
import { useAnswer } from "./use-answer.ts";
import { useArmed } from "./use-armed.ts";
import { cardKey, type WaitingCard } from "./waiting-cards.ts";

interface AskCardProps {
  readonly card: WaitingCard;
  readonly isSelected: boolean;
  /** Whether the person selected it; the page selects a card as well. */
  readonly isChosen: boolean;
  /** How many questions were answered while the page is open. */
  readonly answers: number;
  readonly now: number;
  /** Leaves out the ways to the page of the run. */
  readonly isOnRunPage?: boolean;
  readonly onChoose: (key: string) => void;
  readonly onAnswered: (key: string, text: string) => void;
}

/** Something that waits for the user: what is asked, why, what happens without an answer, and the answers. */
export function AskCard(props: AskCardProps) {
  const { card, isSelected, isChosen, answers, now, isOnRunPage = false, onChoose, onAnswered } = props;
  const { waiting, answered } = card;
  const key = cardKey(waiting);
  const task = taskNote(waiting.task, sentenceText(waiting.title));
  const element = useRef<HTMLElement>(null);
  const { sent, answer } = useAnswer(waiting, (text) => onAnswered(key, text));
  const isArmed = useArmed(element, { isChosen: isSelected && isChosen, answers });
  const isEnabled = answered === undefined && waiting.canAnswer && !sent.isSending && sent.result?.isDone !== true;
  const onKey = (action: () => void) => () => {
    if (!isEnabled || !isArmed) return;
    if (isInView(element.current)) action();
    else element.current?.scrollIntoView({ block: "center" });
  };
  const runPath = `/runs/${encodeURIComponent(waiting.runId)}`;
  useShortcuts(
    "The selected question",
    isSelected && !isOnRunPage ? [{ keys: "o", label: "Open its run", action: () => navigate(runPath) }] : [],
  );
  const given: AnswersProps = { waiting, sent, isEnabled, isArmed, answer, onKey, isSelected, isOnRunPage };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys j and k select it too
    <article
      class={`panel ask ${answered === undefined ? "" : "done"} ${isArmed ? "" : "unarmed"}`}
      id={`ask-${key}`}
      ref={element}
      tabIndex={-1}
      aria-labelledby={`title-${key}`}
      {...(isSelected ? { "aria-current": "true" } : {})}
      onClick={() => onChoose(key)} // after the button that was pressed: the press that chooses a card answers nothing
      onFocusIn={({ target }) => {
        if (target instanceof Element && target.matches(":focus-visible")) onChoose(key);
      }}
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
        {answered === undefined && <p class="faint otherwise">{waiting.otherwise}</p>}
      </div>
      {answered !== undefined ? <Answered text={answered.text} /> : <Answers {...given} />}
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
          {command !== null && <Command text={command} />}
          {command !== null && output !== null && "\n"}
          {output !== null && <span class="err">{visibleText(output)}</span>}
        </pre>
      )}
      {diff !== null && <DiffLines diff={diff} />}
    </>
  );
}

const MAX_COMMAND_LINES = 12;

/** The command, with everything that is hidden in it. A long one has its end, and a button for what is between. */
function Command({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const { start, more, end } = clippedText(text, isWhole ? Number.POSITIVE_INFINITY : MAX_COMMAND_LINES);
  return (
    <>
      {`$ ${start}`}
      {more !== undefined && (
        <>
          {"\n"}
          <button type="button" class="btn quiet small" onClick={() => setWhole(true)}>
            Show {more}
          </button>
          {`\n${end}`}
        </>
      )}
    </>
  );
}
