import { z } from "zod";
import type { Clock } from "../protocol/clock.ts";
import type { Redact } from "../secrets/redact.ts";
import { defineTool } from "./define-tool.ts";
import type { FactMemory } from "./fact-memory.ts";
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

/** Stores a fact for later sessions, with secrets redacted. */
export function memoryWriteTool(
  memory: FactMemory,
  { clock, redact }: { readonly clock: Pick<Clock, "now">; readonly redact: Redact },
): Tool {
  return defineTool({
    name: "memory_write",
    origin: "builtin",
    description:
      "Remembers a fact for later sessions: a preference, a decision, how something is done here. " +
      "Not for secrets, and not for what matters only now.",
    input,
    kind: "mutate",
    touches: () => ["memory"],
    async run({ fact, tags = [] }) {
      const { id } = await memory.write({ at: clock.now(), text: redact(fact), tags: tags.map(redact) });
      return ok("Remembered.", { id });
    },
  });
}
