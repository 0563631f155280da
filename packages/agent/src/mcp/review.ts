import { globText } from "./glob-text.ts";
import { mcpLimits } from "./limits.ts";
import type { McpPin, McpPins } from "./pins.ts";
import type { McpServerConfig } from "./server-config.ts";
import { type McpToolDefinition, readToolDefinition } from "./tool-definition.ts";

/** The tools of a server, by what the user has said about them. */
export interface ReviewedTools {
  readonly approved: readonly McpToolDefinition[];
  /** New or changed tools, which the model does not get. */
  readonly pending: readonly PendingTool[];
  /** Sentences about tools that cannot be used. */
  readonly problems: readonly string[];
}

/** A tool that waits for the user. */
export interface PendingTool {
  readonly definition: McpToolDefinition;
  /** What was approved before, if the definition has changed. */
  readonly previous?: McpPin;
}

/** Reads the listed tools within bounds, and compares them with what the user has approved. */
export function reviewTools(
  { entries, isCut }: { readonly entries: readonly unknown[]; readonly isCut: boolean },
  config: McpServerConfig,
  pins: McpPins,
): ReviewedTools {
  const problems: string[] = isCut ? ["its list of tools is too long, and the rest is left out"] : [];
  const wanted = new Map<string, McpToolDefinition>();
  let chars = 0;
  let leftOut = 0;
  for (const entry of entries) {
    if (wanted.size >= mcpLimits.tools || chars > mcpLimits.definitionChars) {
      leftOut += isWanted(nameOf(entry), config) ? 1 : 0;
      continue;
    }
    if (!isWanted(nameOf(entry), config)) continue;
    const read = readToolDefinition(entry);
    if (!read.ok) problems.push(read.problem);
    else if (wanted.has(read.definition.name)) problems.push(`it lists ${read.definition.name} twice`);
    else {
      const { definition } = read;
      const shownChars = Math.min(definition.description.length, mcpLimits.descriptionChars);
      chars += shownChars + JSON.stringify(definition.inputSchema).length;
      wanted.set(definition.name, definition);
    }
  }
  if (leftOut > 0) problems.push(`${leftOut} more tools are left out; choose with tools = ["…"]`);
  const approved: McpToolDefinition[] = [];
  const pending: PendingTool[] = [];
  for (const definition of wanted.values()) {
    const previous = pins.find(config.name, definition.name);
    if (previous?.sha256 === definition.sha256) approved.push(definition);
    else pending.push({ definition, ...(previous === undefined ? {} : { previous }) });
  }
  return { approved, pending, problems: shortened(problems) };
}

function nameOf(entry: unknown): string {
  const name: unknown = typeof entry === "object" && entry !== null && "name" in entry ? entry.name : "";
  return typeof name === "string" ? name : "";
}

function isWanted(name: string, { tools, denyTools = [] }: McpServerConfig): boolean {
  if (denyTools.some((glob) => globText(glob, name))) return false;
  return tools === undefined || tools.some((glob) => globText(glob, name));
}

const maxProblems = 5;

function shortened(problems: readonly string[]): readonly string[] {
  if (problems.length <= maxProblems) return problems;
  return [...problems.slice(0, maxProblems), `and ${problems.length - maxProblems} more problems of this kind`];
}
