import { type DynamicStructuredTool, tool } from "langchain";
import { z } from "zod";

/** A test command that fails, and how often it ran. */
export function failingBash(): { readonly bash: DynamicStructuredTool; readonly runs: () => number } {
  let runs = 0;
  const bash = tool(
    () => {
      runs++;
      throw new Error("1 test failed");
    },
    { name: "bash", description: "Runs a command.", schema: z.object({ command: z.string() }) },
  );
  return { bash: bash as unknown as DynamicStructuredTool, runs: () => runs }; // its arguments do not matter here
}

/** A build that makes progress each time it is looked at. */
export function progressingBuild(): DynamicStructuredTool {
  let percent = 0;
  const build = tool(
    () => {
      percent += 5;
      return `The build is at ${percent} %.`;
    },
    { name: "build_status", description: "Says how far the build is.", schema: z.object({ id: z.number() }) },
  );
  return build as unknown as DynamicStructuredTool; // its arguments do not matter here
}
