import { z } from "zod";
import type { MemoryStore } from "../stores/stores.ts";
import { defineTool } from "./define-tool.ts";
import { ok, type Tool } from "./tool.ts";

const input = z.strictObject({
  query: z.string().trim().min(1).max(500).describe("Words that the fact would hold."),
  limit: z.int().min(1).max(50).optional().describe("How many facts at most; 10 where nothing is said."),
});

/** Looks for facts that were remembered. */
export function memorySearchTool(memory: MemoryStore): Tool {
  return defineTool({
    name: "memory_search",
    description: "Looks for facts that were remembered in this or earlier sessions, the best fitting first.",
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
  return Number.isNaN(date.getTime()) ? "some day" : date.toISOString().slice(0, 10);
}
