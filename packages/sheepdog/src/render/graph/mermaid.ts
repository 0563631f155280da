import { plainText } from "../terminal/plain-text.ts";
import { conditionText } from "./condition-text.ts";
import { costText, stateText, timeText } from "./graph-lines.ts";
import type { PlanGraph, PlanGraphNode } from "./plan-graph.ts";

const MAX_LABEL_CHARS = 80;

/** Readable on a light and on a dark background. */
const classes = {
  succeeded: "fill:#d9f2d9,stroke:#2e7d32,color:#000",
  kept: "fill:#e8f0e8,stroke:#2e7d32,color:#000,stroke-dasharray:4 3",
  failed: "fill:#f9d6d5,stroke:#b71c1c,color:#000",
  blocked: "fill:#fdecc8,stroke:#b26a00,color:#000",
  interrupted: "fill:#fdecc8,stroke:#b26a00,color:#000",
  running: "fill:#d6e8fa,stroke:#1565c0,color:#000",
  skipped: "fill:#eeeeee,stroke:#9e9e9e,color:#616161",
  not_started: "fill:#ffffff,stroke:#9e9e9e,color:#616161",
} as const satisfies Record<PlanGraphNode["state"] | "kept", string>;

/**
 * A plan as a Mermaid flowchart. Nodes are named by their number, because an id may be a word of Mermaid such as `end`;
 * all texts are in quotes, with every character that could mean something to Mermaid as an entity.
 */
export function mermaidText({ nodes, edges }: PlanGraph): string {
  const names = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const usedClasses = [...new Set(nodes.map(classOf))];
  return [
    "flowchart TD",
    ...nodes.map((node, index) => `  n${index}["${nodeLabel(node)}"]`),
    ...edges.flatMap(({ from, to, when }) => {
      const [source, target] = [names.get(from), names.get(to)];
      const condition = conditionText(when);
      if (source === undefined || target === undefined) return [];
      return [`  ${source} -->${condition === undefined ? "" : `|"${escaped(condition)}"|`} ${target}`];
    }),
    ...usedClasses.map((name) => `  classDef ${name} ${classes[name]}`),
    ...usedClasses.map((name) => `  class ${membersOf(nodes, name)} ${name}`),
  ].join("\n");
}

function classOf({ state, isKept }: PlanGraphNode): keyof typeof classes {
  return isKept ? "kept" : state;
}

function membersOf(nodes: readonly PlanGraphNode[], name: keyof typeof classes): string {
  return nodes.flatMap((node, index) => (classOf(node) === name ? [`n${index}`] : [])).join(",");
}

/** The id and the task; below them the state, the cost and the time. */
function nodeLabel(node: PlanGraphNode): string {
  const facts = [stateText(node), costText(node), timeText(node)].filter((fact) => fact !== "");
  return `${escaped(`${node.id}: ${node.title}`)}<br>${escaped(facts.join(", "))}`;
}

/** Characters without a meaning in a quoted text of Mermaid: ASCII letters, digits, some signs, and other scripts. */
const special = /[^A-Za-z0-9 .,()=!_/?'\-\u00a0-\uffff]|[ﬂ¶]/gu;

/** A text as one short line, with special characters as entities such as `#34;`. */
function escaped(text: string): string {
  const characters = [...plainText(text).toWellFormed()];
  const shown = characters.length > MAX_LABEL_CHARS ? [...characters.slice(0, MAX_LABEL_CHARS - 3), "..."] : characters;
  return shown.join("").replace(special, (character) => `#${character.codePointAt(0) ?? 63};`);
}
