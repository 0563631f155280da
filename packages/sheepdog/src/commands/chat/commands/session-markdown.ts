import type { Message, SessionDocument } from "@sheepdog/agent";
import { createControlStripper } from "../../../render/timeline/control-stripper.ts";

const MAX_CHARS = 4_000;

/** A session as Markdown: messages, calls and results. */
export function sessionMarkdown({ session, messages, runs }: SessionDocument): string {
  const cost = runs.reduce((sum, run) => sum + (run.costNanoUsd ?? 0), 0) / 1_000_000_000;
  const head = [
    `# Session ${session.sessionId}`,
    "",
    `${runs.length} runs, $${cost.toFixed(4)}, last changed ${new Date(session.updatedAt).toISOString()}.`,
  ];
  // The file may be printed in a terminal.
  return createControlStripper().push(`${[...head, ...messages.flatMap(messageLines)].join("\n")}\n`);
}

function messageLines(message: Message): readonly string[] {
  switch (message.role) {
    case "user":
      return message.reason !== undefined && message.origin !== "guardian"
        ? []
        : ["", `## ${message.origin}`, "", message.text];
    case "assistant":
      return message.parts.flatMap((part) => {
        if (part.type === "text")
          return part.text.trim() === "" ? [] : ["", `## agent (${message.model})`, "", part.text];
        return part.type === "call"
          ? ["", `### ${part.tool}`, "", ...fenced(JSON.stringify(part.input, null, 2) ?? "", "json")]
          : [];
      });
    case "tool":
      return ["", `${message.status}:`, "", ...fenced(message.content)];
    default:
      return message satisfies never;
  }
}

/** The fence is longer than any fence in the text. */
function fenced(text: string, language = ""): readonly string[] {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  const excess = text.length - MAX_CHARS;
  const shown = excess <= 0 ? text : `${text.slice(0, MAX_CHARS)}\n… ${excess} more characters`;
  return [`${fence}${language}`, shown, fence];
}
