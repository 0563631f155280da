import { paintOf } from "../../../render/diff/diff-paint.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { cut } from "../../../render/terminal/width.ts";
import { plainLines } from "../../../render/timeline/plain-lines.ts";
import type { ApprovalCard, Card, CardLine, QuestionCard, RunCard } from "../cards/card.ts";
import { emptyEditor } from "../editor/editor.ts";
import type { ChatState } from "../state/chat-state.ts";
import type { Drawing } from "./drawing.ts";
import { editorLines } from "./editor-lines.ts";
import type { ViewOptions } from "./view-options.ts";

/** A card and the keys that answer it, in at most `options.rows` lines. */
export function cardView(card: Card, state: ChatState, options: ViewOptions): Drawing {
  const { style, symbols, columns, rows } = options;
  const width = Math.max(1, columns - 2);
  const keys = keyLines(card, state, { style, width });
  const bodyRows = Math.max(1, rows - keys.lines.length);
  const lines = [...bodyLines(card, { style, width, rows: bodyRows }), ...keys.lines].slice(-rows);
  return {
    lines: lines.map((line) => `${style.yellow(symbols.bar)} ${line}`),
    ...(keys.cursor === undefined
      ? {}
      : { cursor: { x: keys.cursor.x + 2, y: lines.length - keys.lines.length + keys.cursor.y } }),
  };
}

interface CardLayout {
  readonly style: ViewOptions["style"];
  readonly width: number;
}

function bodyLines(card: Card, layout: CardLayout & { readonly rows: number }): readonly string[] {
  const { style, width, rows } = layout;
  const { body, reason } = cardBody(card, layout);
  if (body.length + reason.length <= rows) return [...body, ...reason];
  const shownReason = rows < 4 ? [] : reason.slice(0, 1);
  const shownRows = Math.max(0, rows - 1 - shownReason.length);
  const where = card.type === "approval" ? ": see above" : ""; // the scrollback has the whole call
  return [
    ...body.slice(0, shownRows),
    style.yellow(cut(`… ${body.length - shownRows} more lines${where}`, width)),
    ...shownReason,
  ];
}

interface CardBody {
  readonly body: readonly string[];
  /** Shown below the body; only its first line in a small window. */
  readonly reason: readonly string[];
}

function cardBody(card: Card, layout: CardLayout): CardBody {
  switch (card.type) {
    case "approval":
      return approvalBody(card, layout);
    case "question":
      return { body: questionBody(card, layout), reason: [] };
    case "run":
      return runBody(card, layout);
    default:
      return card satisfies never;
  }
}

function runBody({ problem, status }: RunCard, { style, width }: CardLayout): CardBody {
  return {
    body: [
      ...(problem === undefined ? [] : plainLines(plainText(problem), width).map(style.yellow)),
      ...plainLines("How should the run continue?", width).map(style.bold),
    ],
    reason: plainLines(status, width).map(style.dim),
  };
}

function approvalBody({ title, lines, reason }: ApprovalCard, { style, width }: CardLayout): CardBody {
  return {
    body: [
      ...plainLines(`May the agent run this? ${title}`, width).map(style.bold),
      ...lines.flatMap((line) => cardLine(line, style, width)),
    ],
    reason: plainLines(`Why you are asked: ${reason}`, width).map(style.dim),
  };
}

/** A line of a command or a change, broken to fit. */
export function cardLine(line: CardLine, style: ViewOptions["style"], width: number): string[] {
  return plainLines(`${line.sign} ${line.text}`, width).map(paintOf(line, style));
}

function questionBody({ text, choices }: QuestionCard, { style, width }: CardLayout): string[] {
  return [
    ...plainLines(text, width).map(style.bold),
    ...choices.flatMap((choice, index) => plainLines(`${index + 1}  ${plainText(choice)}`, width)),
  ];
}

function keyLines(card: Card, { reply, isCardReady, ruleShownOn }: ChatState, layout: CardLayout): Drawing {
  const { style, width } = layout;
  if (!isCardReady) return { lines: plainLines("Pause a moment, then answer.", width).map(style.dim) };
  if (reply !== undefined || card.type === "question") {
    const label = width < 20 ? "> " : replyLabels[card.type];
    const { lines, x, y } = editorLines(reply ?? emptyEditor, {
      columns: Math.max(1, width - label.length),
      rows: 3,
    });
    return {
      lines: lines.map((line, index) => `${index === 0 ? style.cyan(label) : " ".repeat(label.length)}${line}`),
      cursor: { x: x + label.length, y },
    };
  }
  if (card.type === "approval" && ruleShownOn === card.id)
    return { lines: plainLines(ruleQuestion(card), width).map(style.cyan) };
  return { lines: plainLines(keyText(card, width < 60), width).map(style.cyan) };
}

function ruleQuestion({ rule = "" }: ApprovalCard): string {
  return `The rule: ${plainText(rule)}, for every later run. w write it and allow · any other key: back`;
}

const replyLabels: Readonly<Record<Card["type"], string>> = {
  approval: "Why not? ",
  question: "Answer: ",
  run: "Tell the agent: ",
};

function keyText(card: ApprovalCard | RunCard, isNarrow: boolean): string {
  if (card.type === "run") return `s stop · c ${card.continueChoice} · t tell the agent something`;
  const rule = card.rule === undefined ? "" : "r a rule · ";
  return isNarrow
    ? `y once · a always · ${rule}n no · d say why · Esc stop`
    : `y once · a always exactly this call, in this session · ${rule}n no · d no, and say why · Esc stop`;
}
