import { type DynamicStructuredTool, tool } from "langchain";
import { z } from "zod";
import { type Conversation, toolDescription, toolName } from "../../loop/conversation.ts";

/** The tool of LangChain and LangGraph: returns the result of each turn. */
export function readTool({ turns }: Conversation): { readonly read: DynamicStructuredTool; calls(): number } {
  let calls = 0;
  const read = tool(() => turns[calls++]?.result ?? "", {
    name: toolName,
    description: toolDescription,
    schema: z.object({ path: z.string() }),
  });
  return { read: read as unknown as DynamicStructuredTool, calls: () => calls }; // its arguments do not matter here
}
