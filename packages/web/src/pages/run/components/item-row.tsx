import { Link } from "../../../app/router.tsx";
import { usd } from "../../../format/amounts.ts";
import { Icon } from "../../../parts/icon.tsx";
import { Markdown } from "../../../parts/markdown.tsx";
import type { Item, ItemOf } from "../model/item.ts";
import { stepText } from "../model/step-text.ts";
import type { RowOf } from "../model/story.ts";
import { CallRow } from "./call-row.tsx";
import { EndRow } from "./end-row.tsx";
import type { StoryContext } from "./story-context.ts";
import { StoryFrame } from "./story-frame.tsx";

type FrameProps = Pick<Parameters<typeof StoryFrame>[0], "rowKey" | "seq" | "at" | "isSelected">;

/** A row that shows one item. */
export function ItemRow({ row, context }: { readonly row: RowOf<"item">; readonly context: StoryContext }) {
  const { item } = row;
  const frame = { rowKey: row.key, seq: row.seq, at: row.at, isSelected: context.selectedKey === row.key };
  const turn = item.turn > 0 && <span class="faint">turn {item.turn}</span>;
  switch (item.type) {
    case "prompt": {
      const goal = context.detail.goal?.text;
      const head = (
        <>
          <b>You</b>
          {item.isResumed ? (
            <span class="faint">resumed the run</span>
          ) : (
            row.from === 0 && goal !== undefined && <span class="faint">goal: {withCode(goal)}</span>
          )}
        </>
      );
      return (
        <StoryFrame {...frame} icon="person" what="the prompt" head={head}>
          {item.text !== "" && (
            <div class="prompt">
              <Markdown text={item.text} />
            </div>
          )}
        </StoryFrame>
      );
    }
    case "said":
      return (
        <StoryFrame
          {...frame}
          icon="person"
          what="this message"
          head={
            <>
              <b>You</b>
              {turn}
            </>
          }
        >
          <div class="prompt">
            <Markdown text={item.text} />
          </div>
        </StoryFrame>
      );
    case "text":
      return <TextRow item={item} frame={frame} />;
    case "call":
      return <CallRow call={item.call} row={row} context={context} />;
    case "guardian":
    case "answer":
    case "muted":
    case "recovered":
    case "opinion": {
      const { icon, level, title, detail } = stepText(item, context.interventions.get(item.seq));
      const head = (
        <>
          {level === undefined ? <b>{title}</b> : <b class={`lvl ${level}`}>{title}</b>}
          {detail !== "" && <span class="muted">{detail}</span>}
          {"costUsd" in item && item.costUsd !== null && <span class="faint num">{usd(item.costUsd)}</span>}
        </>
      );
      return (
        <StoryFrame {...frame} icon={icon} level={level} what="this event" head={head}>
          {item.type === "guardian" && icon !== "limit" && <p class="md">{item.intervention.message}</p>}
          {item.type === "opinion" && item.opinion.advice !== undefined && <p class="md">“{item.opinion.advice}”</p>}
        </StoryFrame>
      );
    }
    case "verdict":
      return (
        <StoryFrame {...frame} icon="gate" what="this verdict" head={<VerdictHead item={item} />}>
          {item.verdict.reason !== undefined && <p class="md muted">{item.verdict.reason}</p>}
        </StoryFrame>
      );
    case "subagent": {
      const child = context.detail.subagents.find(
        ({ sessionId, id }) => sessionId === item.childId || id === item.childId,
      );
      const name = item.isEnd ? "Subagent ended" : "Subagent started";
      const head = (
        <>
          <b>
            {child === undefined ? (
              name
            ) : (
              <Link class="link" href={`/runs/${encodeURIComponent(child.id)}`}>
                {name}
              </Link>
            )}
          </b>
          <span class="muted cut">{item.text}</span>
        </>
      );
      return <StoryFrame {...frame} icon="fork" what="this subagent" head={head} />;
    }
    case "note": {
      const head = <span class={item.severity === "info" ? "muted" : "bad"}>{item.text}</span>;
      return <StoryFrame {...frame} icon={item.severity === "info" ? "hint" : "warn"} what="this note" head={head} />;
    }
    case "end":
      return <EndRow item={item} row={row} context={context} />;
    case "thinking":
      return null;
    default:
      return item satisfies never;
  }
}

/** A text with the parts between backticks as code. */
function withCode(text: string) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}

const MAX_SHORT = 90;

/** What the agent wrote; a short sentence stands on the first line. */
function TextRow({ item, frame }: { readonly item: ItemOf<"text">; readonly frame: FrameProps }) {
  const { text, length, turn } = item;
  const isShort = length <= MAX_SHORT && !/[\n*_`#[<|]/.test(text.trim());
  const head = (
    <>
      {isShort ? <span class="said-short">{text.trim()}</span> : <b>Agent</b>}
      {turn > 0 && <span class="faint">turn {turn}</span>}
    </>
  );
  return (
    <StoryFrame {...frame} icon="text" what="this text" head={head}>
      {!isShort && <Markdown text={text} />}
      {length > text.length && <p class="faint">The text is longer than what is shown.</p>}
    </StoryFrame>
  );
}

function VerdictHead({ item }: { readonly item: Extract<Item, { readonly type: "verdict" }> }) {
  const { verdict, model } = item.verdict;
  const words = {
    accept: "The goal is met",
    retry: "The goal is not met: try again",
    escalate: "The judge needs you",
    continue: "The goal is not decided yet",
  } as const;
  return (
    <>
      <b>{words[verdict]}</b>
      <span class="faint">{model === undefined ? "by rule" : `judged by ${model}`}</span>
      {verdict === "accept" && <Icon name="check" class="ok" />}
    </>
  );
}
