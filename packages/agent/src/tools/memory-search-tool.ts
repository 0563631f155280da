import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import type { FactMemory } from "./fact-memory.ts";
import { ok, type Tool } from "./tool.ts";

const input = z.strictObject({
  query: z.string().trim().min(1).max(500).describe("Words that the fact contains."),
  limit: z.int().min(1).max(50).optional().describe("The maximum number of facts; default 10."),
});

/** Searches the facts that `memory_write` has stored. */
export function memorySearchTool(memory: FactMemory): Tool {
  return defineTool({
    name: "memory_search",
    origin: "builtin",
    description: "Searches the facts remembered in this and earlier sessions, best matches first.",
    input,
    kind: "read",
    isIdempotent: true,
    touches: () => ["memory"],
    async run({ query, limit = 10 }) {
      const facts = await memory.search(query, limit);
      if (facts.length === 0) return ok("Nothing is remembered about that.");
      return ok(
        facts
          .map(({ at, text, tags }) => `- ${text}${tags.length === 0 ? "" : ` [${tags.join(", ")}]`} (${day(at)})`)
          .join("\n"),
      );
    },
  });
}

function day(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "unknown date" : date.toISOString().slice(0, 10);
}
