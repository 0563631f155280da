import { duration } from "@sheepdog/agent/timeline";
import { counted, dollars } from "../terminal/amounts.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { type Column, layOut } from "../terminal/table.ts";
import { cut, widthOf } from "../terminal/width.ts";
import type { Marks } from "../timeline/marks.ts";
import { plainLines } from "../timeline/plain-lines.ts";
import { conditionText } from "./condition-text.ts";
import type { NodeState, PlanGraph, PlanGraphNode } from "./plan-graph.ts";

/** How a plan is drawn. */
export interface GraphLayout {
  readonly style: Style;
  /** In columns. */
  readonly width: number;
  readonly marks: Marks;
}

/** Below the names of the nodes. */
const INDENT = " ".repeat(9);
/** Columns. Below this width there is no table. */
const NARROW = 44;
const MAX_ID_COLUMNS = 28;
const MIN_TASK_COLUMNS = 12;
/** Enough to find the session with `sheepdog show`. */
const SESSION_CHARS = 12;
const MAX_TEXT_CHARS = 400;

/** The last plan in full, one section; each earlier plan as a short section before it. */
export function graphSections(graphs: readonly PlanGraph[], layout: GraphLayout): readonly (readonly string[])[] {
  return graphs.map((graph, index) =>
    index === graphs.length - 1 ? fullGraph(graph, layout) : shortGraph(graph, layout),
  );
}

/** A row for each node, by stage; below it the nodes that it waits for, and its problem. */
function fullGraph(graph: PlanGraph, layout: GraphLayout): readonly string[] {
  const isNarrow = layout.width < NARROW;
  const indent = isNarrow ? "  " : INDENT;
  const [head = [], ...rows] = isNarrow ? [[], ...listLines(graph.nodes, layout)] : tableLines(graph.nodes, layout);
  return [
    ...titleLines(graph, layout),
    ...head.map(layout.style.bold),
    ...graph.nodes.flatMap((node, index) => [
      ...(rows[index] ?? []).map(stateStyle(node, layout.style)),
      ...edgeLines(graph, node, { ...layout, indent }),
      ...problemLines(node, { ...layout, indent }),
    ]),
    ...(graph.diagnosis === undefined ? [] : labelled("diagnosis", graph.diagnosis, layout)),
  ];
}

/** The result of a plan that was replaced, its failed nodes, and the diagnosis. */
function shortGraph(graph: PlanGraph, layout: GraphLayout): readonly string[] {
  const failed = graph.nodes.filter(({ state }) => state === "failed");
  return [
    ...titleLines(graph, layout),
    ...failed.flatMap(({ id, problem }) => labelled(`${plainText(id)} failed`, problem ?? "", layout)),
    ...(graph.diagnosis === undefined ? [] : labelled("diagnosis", graph.diagnosis, layout)),
  ];
}

/** `plan 2 · 7 nodes · 4 succeeded, 2 kept, 1 skipped` */
function titleLines({ cycle, nodes }: PlanGraph, { style, width, marks }: GraphLayout): readonly string[] {
  const texts = nodes.map((node) => stateText(node));
  const counts = [...new Set(texts)].map((text) => `${texts.filter((each) => each === text).length} ${text}`);
  const title = [`plan ${cycle + 1}`, counted(nodes.length, "node"), counts.join(", ")].join(` ${marks.dot} `);
  return plainLines(title, width).map(style.bold);
}

/** For a narrow terminal: the lines of each node, `1. fetch: succeeded, $0.10`. */
function listLines(nodes: readonly PlanGraphNode[], { width }: GraphLayout): readonly (readonly string[])[] {
  return nodes.map((node) => {
    const facts = [stateText(node), costText(node), timeText(node)].filter((fact) => fact !== "");
    return plainLines(`${node.stage}. ${plainText(node.id)}: ${facts.join(", ")}`, width);
  });
}

/** The head and a row for each node. The task of a node takes the columns that are left. */
function tableLines(nodes: readonly PlanGraphNode[], { width, marks }: GraphLayout): readonly (readonly string[])[] {
  const columns: readonly Column[] = [
    { title: "STAGE", align: "left", min: 5 },
    { title: "NODE", align: "left", min: MAX_ID_COLUMNS },
    { title: "STATE", align: "left", min: 14 },
    { title: "COST", align: "right", min: 5, isOptional: true },
    { title: "TIME", align: "right", min: 5, isOptional: true },
    { title: "SESSION", align: "left", min: SESSION_CHARS, isOptional: true },
  ];
  const idColumns = Math.min(MAX_ID_COLUMNS, width - 23); // beside the stage and the state
  const rows = nodes.map((node, index) => [
    nodes[index - 1]?.stage === node.stage ? "" : String(node.stage),
    cut(plainText(node.id), idColumns, marks.more),
    `${stateMark(node.state, marks)} ${stateText(node)}`,
    costText(node),
    timeText(node),
    node.sessionId === undefined ? "" : plainText(node.sessionId).slice(0, SESSION_CHARS),
  ]);
  const lines = layOut(columns, rows, width);
  const used = Math.max(...lines.map(widthOf)) + 2;
  if (width - used < MIN_TASK_COLUMNS) return lines.map((line) => [line]);
  const tasks = ["TASK", ...nodes.map(({ title }) => cut(plainText(title), width - used, marks.more))];
  return lines.map((line, index) => [`${line}${" ".repeat(used - widthOf(line))}${tasks[index]}`.trimEnd()]);
}

interface IndentedLayout extends GraphLayout {
  readonly indent: string;
}

/** `← parser, test (when verdict = "ok")` */
function edgeLines({ edges }: PlanGraph, { id }: PlanGraphNode, layout: IndentedLayout): readonly string[] {
  const { style, width, marks } = layout;
  const sources = edges
    .filter(({ to }) => to === id)
    .map(({ from, when }) => {
      const condition = conditionText(when);
      return condition === undefined ? plainText(from) : `${plainText(from)} (${condition})`;
    });
  if (sources.length === 0) return [];
  const indent = `${layout.indent}${" ".repeat(widthOf(marks.after) + 1)}`;
  return plainLines(sources.join(", "), width - indent.length).map((line, index) =>
    style.dim(`${index === 0 ? `${layout.indent}${marks.after} ` : indent}${line}`),
  );
}

function problemLines(node: PlanGraphNode, { style, width, indent }: IndentedLayout): readonly string[] {
  if (node.problem === undefined) return [];
  const paint = node.state === "failed" ? style.red : style.dim;
  return plainLines(shortened(node.problem), width - indent.length).map((line) => paint(`${indent}${line}`));
}

function labelled(label: string, text: string, { width }: GraphLayout): readonly string[] {
  const sentence = text === "" ? label : `${label}: ${shortened(text)}`;
  return plainLines(sentence, width - 2).map((line) => `  ${line}`);
}

function shortened(text: string): string {
  const line = plainText(text);
  return line.length > MAX_TEXT_CHARS ? `${line.slice(0, MAX_TEXT_CHARS)}...` : line;
}

/** The state of a node in words. */
export function stateText({ state, isKept }: Pick<PlanGraphNode, "state" | "isKept">): string {
  return isKept ? "kept" : state.replaceAll("_", " ");
}

function stateMark(state: NodeState, marks: Marks): string {
  if (state === "succeeded") return marks.good;
  return state === "failed" ? marks.bad.padEnd(marks.good.length) : " ".repeat(marks.good.length);
}

function stateStyle({ state }: PlanGraphNode, style: Style): (text: string) => string {
  switch (state) {
    case "succeeded":
      return (text) => text;
    case "failed":
      return style.red;
    case "blocked":
    case "interrupted":
      return style.yellow;
    case "running":
      return style.cyan;
    case "skipped":
    case "not_started":
      return style.dim;
    default:
      return state satisfies never;
  }
}

/** Empty for a node without a run, `?` if a price is unknown. */
export function costText({ costNanoUsd }: Pick<PlanGraphNode, "costNanoUsd">): string {
  if (costNanoUsd === undefined) return "";
  return costNanoUsd === null ? "?" : dollars(costNanoUsd / 1e9);
}

/** How long a node took; empty until it has ended. */
export function timeText({ startedAt, endedAt }: Pick<PlanGraphNode, "startedAt" | "endedAt">): string {
  return startedAt === undefined || endedAt === undefined ? "" : duration(Math.max(0, endedAt - startedAt));
}
