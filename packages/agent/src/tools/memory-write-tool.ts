import { redactSecrets } from "@sheepdog/guardian";
import { z } from "zod";
import type { Clock } from "../protocol/clock.ts";
import type { MemoryStore } from "../stores/stores.ts";
import { defineTool } from "./define-tool.ts";
import { ok, type Tool } from "./tool.ts";

const input = z.strictObject({
  fact: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .describe("One fact in one or two sentences that can be understood without this conversation."),
  tags: z.array(z.string().trim().min(1).max(60)).max(10).optional().describe("Words to find it by."),
});

/** Remembers a fact for later sessions. Secrets are taken out of it before it is kept. */
export function memoryWriteTool(memory: MemoryStore, clock: Pick<Clock, "now">): Tool {
  return defineTool({
    name: "memory_write",
    description:
      "Remembers a fact over sessions: a preference, a decision, how something is done here. Not for secrets, nor for what only matters now.",
    input,
    kind: "mutate",
    touches: () => ["memory"],
    async run({ fact, tags = [] }) {
      const { id } = await memory.write({ at: clock.now(), text: redactSecrets(fact), tags });
      return ok("Remembered.", { id });
    },
  });
}
