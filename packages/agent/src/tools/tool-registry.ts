import { closestName } from "@sheepdog/guardian";
import { keepShape } from "../async/keep-shape.ts";
import { printableName } from "./printable-name.ts";
import type { Tool } from "./tool.ts";

/** The tools of a run, by their exact names. */
export interface ToolRegistry {
  readonly all: readonly Tool[];
  readonly names: readonly string[];
  /** Exactly this name; a name that is only like one finds nothing. */
  find(name: string): Tool | undefined;
  /** What a model is told that asked for a tool that is not there. */
  describeUnknown(name: string): string;
}

const possibleName = /^[A-Za-z0-9_-]{1,64}$/;
const mostNames = 40;

/** Puts tools together; a name used twice, or one that providers do not accept, is an error. */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    if (!possibleName.test(tool.name))
      throw new Error(
        `A tool's name has 1 to 64 letters, digits, "_" or "-": "${printableName(tool.name.slice(0, 80))}" has not.`,
      );
    if (byName.has(tool.name))
      throw new Error(`There are two tools named "${tool.name}": every tool needs a name of its own.`);
    byName.set(tool.name, tool);
  }
  return new NamedTools(byName);
}

class NamedTools implements ToolRegistry {
  readonly all: readonly Tool[];
  readonly names: readonly string[];
  private readonly byName: ReadonlyMap<string, Tool>;

  constructor(byName: ReadonlyMap<string, Tool>) {
    this.all = [...byName.values()];
    this.names = [...byName.keys()];
    this.byName = byName;
  }

  find(name: string): Tool | undefined {
    return this.byName.get(name);
  }

  describeUnknown(name: string): string {
    return unknownTool(name, this.names);
  }
}

keepShape(new NamedTools(new Map()));

function unknownTool(name: string, names: readonly string[]): string {
  const there = `There is no tool "${printableName(name.slice(0, 80))}".`;
  if (names.length === 0) return `${there} There are no tools at all: answer without.`;
  const near = nearest(name, names);
  if (near.length > 0) return `${there} Did you mean ${near.map((each) => `"${each}"`).join(" or ")}? Nothing was run.`;
  const rest = names.length - mostNames;
  return `${there} The tools are: ${names.slice(0, mostNames).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}. Nothing was run.`;
}

/** Up to three names, the nearest first. */
function nearest(name: string, names: readonly string[]): string[] {
  const plain = name.normalize("NFKC").trim();
  const found: string[] = [];
  while (found.length < 3) {
    const next = closestName(
      plain,
      names.filter((each) => !found.includes(each)),
    );
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}
