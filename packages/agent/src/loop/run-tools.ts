import type { ToolDefinition } from "../protocol/tool-definition.ts";
import { toToolDefinitions } from "../provider/tool-definitions.ts";
import type { Tool } from "../tools/tool.ts";
import { createToolRegistry, type ToolRegistry } from "../tools/tool-registry.ts";

/** The tools of a run. Some may come and go with the servers that they belong to; they change between turns only. */
export interface RunTools extends ToolRegistry {
  /** The tools as the model reads them. */
  readonly definitions: readonly ToolDefinition[];
  /** Takes up what has changed. */
  refresh(): Promise<void>;
}

/** Creates the tools of a run: `fixed` ones, and those that `changing` returns. A fixed one keeps its name. */
export async function createRunTools(
  fixed: readonly Tool[],
  changing: () => readonly Tool[] = () => none,
): Promise<RunTools> {
  const fixedNames = new Set(fixed.map(({ name }) => name));
  let latest = changing();
  const registryOf = (tools: readonly Tool[]) =>
    createToolRegistry([...fixed, ...tools.filter(({ name }) => !fixedNames.has(name))]);
  let registry = registryOf(latest);
  let definitions = await toToolDefinitions(registry.all);
  return {
    get all() {
      return registry.all;
    },
    get names() {
      return registry.names;
    },
    get definitions() {
      return definitions;
    },
    find: (name) => registry.find(name),
    describeUnknown: (name) => registry.describeUnknown(name),
    async refresh() {
      const next = changing();
      if (next === latest) return;
      latest = next;
      const changed = registryOf(next);
      definitions = await toToolDefinitions(changed.all);
      registry = changed;
    },
  };
}

const none: readonly Tool[] = [];
