import { createMastraGuard } from "../../../packages/integrations/dist/mastra/index.js";
import { loadMastra, scriptedModel } from "../../../packages/integrations/test/mastra/mastra.ts";
import { toolDescription, toolName } from "../../loop/conversation.ts";
import { expectTurns, type Framework, talkOf } from "../framework.ts";

/** `agent.generate`, without memory. */
export const mastra: Framework = {
  name: "@mastra/core 1.71.0",
  async load() {
    const { Agent, createTool, RequestContext } = await loadMastra();
    return {
      async run(turnCount, isGuarded) {
        const { turns, prompt } = talkOf(turnCount);
        let calls = 0;
        const read = createTool({
          id: toolName,
          description: toolDescription,
          execute: async () => turns[calls++]?.result ?? "",
        });
        const { model } = scriptedModel([...turns.map(({ path }) => [{ tool: toolName, args: { path } }]), "Done."]);
        const guard = createMastraGuard();
        const guarded = isGuarded ? { hooks: guard.hooks, inputProcessors: [guard.processor] } : {};
        const settings = { id: "bench", name: "bench", instructions: "Work.", model, tools: { [toolName]: read } };
        const agent = new Agent({ ...settings, ...guarded });
        await agent.generate(prompt, { maxSteps: turnCount + 2, requestContext: new RequestContext() });
        expectTurns(calls, turnCount);
      },
    };
  },
};
