import { plainText } from "../../../render/terminal/plain-text.ts";
import { cut } from "../../../render/terminal/width.ts";
import { plainLines } from "../../../render/timeline/plain-lines.ts";
import type { ApprovalCard, Card, QuestionCard, CardLine } from "../cards/card.ts";
import { emptyEditor } from "../editor/editor.ts";
import type { ChatState } from "../state/chat-state.ts";
import type { Drawing } from "./drawing.ts";
import type { ViewOptions } from "./view-options.ts";
import { editorLines } from "./editor-lines.ts";

/** What the agent asks, and which keys answer it, in at most `rows` lines. */
export function cardView(card: Card, state: ChatState, look: ViewOptions, rows: number): Drawing {
  const { style, signs, columns } = look;
  const width = Math.max(1, columns - 2);
  const keys = keysOf(card, state, look, width);
  const room = Math.max(1, rows - keys.lines.length);
  const lines = [...bodyOf(card, look, width, room), ...keys.lines].slice(-rows);
  return {
    lines: lines.map((line) => `${style.yellow(signs.bar)} ${line}`),
    ...(keys.cursor === undefined
      ? {}
      : { cursor: { x: keys.cursor.x + 2, y: lines.length - keys.lines.length + keys.cursor.y } }),
  };
}

function bodyOf(card: Card, look: ViewOptions, width: number, room: number): readonly string[] {
  const { body, why } =
    card.type === "approval" ? approvalBody(card, look, width) : { body: questionBody(card, look, width), why: [] };
  if (body.length + why.length <= room) return [...body, ...why];
  const reason = room < 4 ? [] : why.slice(0, 1);
  const left = Math.max(0, room - 1 - reason.length);
  const where = card.type === "approval" ? ": see above" : "";
  return [
    ...body.slice(0, left),
    look.style.yellow(cut(`… ${body.length - left} more lines${where}`, width)),
    ...reason,
  ];
}

function approvalBody(
  { title, lines, reason }: ApprovalCard,
  { style }: ViewOptions,
  width: number,
): Record<"body" | "why", string[]> {
  return {
    body: [
      ...plainLines(`May the agent run this? ${title}`, width).map(style.bold),
      ...lines.flatMap((line) => cardLine(line, style, width)),
    ],
    why: plainLines(`Why it asks: ${reason}`, width).map(style.dim),
  };
}

/** A line of a command or of a change. */
export function cardLine({ sign, text }: CardLine, style: ViewOptions["style"], width: number): string[] {
  const paint = { " ": (line: string) => line, "+": style.green, "-": style.red, "…": style.dim }[sign];
  return plainLines(`${sign} ${text}`, width).map(paint);
}

function questionBody({ text, choices }: QuestionCard, { style }: ViewOptions, width: number): string[] {
  return [
    ...plainLines(text, width).map(style.bold),
    ...choices.flatMap((choice, place) => plainLines(`${place + 1}  ${plainText(choice)}`, width)),
  ];
}

function keysOf(card: Card, { reply, isCardReady }: ChatState, { style }: ViewOptions, width: number): Drawing {
  if (!isCardReady) return { lines: plainLines("Pause a moment, then answer.", width).map(style.dim) };
  if (reply !== undefined || card.type === "question") {
    const label = width < 20 ? "> " : card.type === "approval" ? "Why not? " : "Answer: ";
    const { lines, x, y } = editorLines(reply ?? emptyEditor, Math.max(1, width - label.length), 3);
    return {
      lines: lines.map((line, place) => `${place === 0 ? style.cyan(label) : " ".repeat(label.length)}${line}`),
      cursor: { x: x + label.length, y },
    };
  }
  const keys =
    width < 60
      ? "y once · a always · n no · d say why · Esc stop"
      : "y once · a always exactly this call, in this session · n no · d no, and say why · Esc stop";
  return { lines: plainLines(keys, width).map(style.cyan) };
}
