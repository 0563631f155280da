import { closestName } from "@sheepdog/guardian";
import { checkTool } from "./check-tool.ts";
import { printableName } from "./printable-name.ts";
import type { Tool } from "./tool.ts";

/** The tools of a run, by their exact names. */
export interface ToolRegistry {
  readonly all: readonly Tool[];
  readonly names: readonly string[];
  /** The tool with exactly this name. */
  find(name: string): Tool | undefined;
  /** Tells the model that there is no tool of this name, and which tools there are. */
  describeUnknown(name: string): string;
}

const maxNamesListed = 40;
const maxSuggestions = 3;

/** Creates a registry. Throws a sentence when a tool is defined wrongly or a name is used twice. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  for (const tool of tools) checkTool(tool);
  const names = tools.map(({ name }) => name);
  const duplicate = firstDuplicate(names);
  if (duplicate !== undefined)
    throw new Error(`Two tools are named "${duplicate}": give every tool a name of its own.`);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    all: [...tools],
    names,
    find: (name) => byName.get(name),
    describeUnknown: (name) => describeUnknown(name, names),
  };
}

function firstDuplicate(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

function describeUnknown(name: string, names: readonly string[]): string {
  const problem = `There is no tool "${printableName(name.slice(0, 80))}".`;
  if (names.length === 0) return `${problem} There are no tools at all: answer without a tool.`;
  const suggestions = closestNames(name, names).map((near) => `"${near}"`);
  if (suggestions.length > 0) return `${problem} Did you mean ${suggestions.join(" or ")}? Nothing was run.`;
  const listed = names.slice(0, maxNamesListed).join(", ");
  const more = names.length > maxNamesListed ? ` and ${names.length - maxNamesListed} more` : "";
  return `${problem} The tools are: ${listed}${more}. Nothing was run.`;
}

/** Up to three names, the closest first. */
function closestNames(name: string, names: readonly string[]): string[] {
  const normalized = name.normalize("NFKC").trim();
  const closest: string[] = [];
  while (closest.length < maxSuggestions) {
    const next = closestName(
      normalized,
      names.filter((each) => !closest.includes(each)),
    );
    if (next === undefined) break;
    closest.push(next);
  }
  return closest;
}
