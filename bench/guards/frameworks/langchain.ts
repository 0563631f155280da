import { createAgent, tool } from "langchain";
import { z } from "zod";
import { createLangChainGuard } from "../../../packages/integrations/dist/langchain/index.js";
import { scriptedModel } from "../../../packages/integrations/test/langchain/scripted-model.ts";
import { toolDescription, toolName } from "../../loop/conversation.ts";
import { expectTurns, type Framework, talkOf } from "../framework.ts";

/** `createAgent`, without a checkpointer. */
export const langchain: Framework = {
  name: "langchain 1.5.14",
  load: async () => ({
    async run(turnCount, isGuarded) {
      const { turns, prompt } = talkOf(turnCount);
      let calls = 0;
      const read = tool(() => turns[calls++]?.result ?? "", {
        name: toolName,
        description: toolDescription,
        schema: z.object({ path: z.string() }),
      });
      const model = scriptedModel([...turns.map(({ path }) => [{ name: toolName, args: { path } }]), "Done."]);
      const middleware = isGuarded ? [createLangChainGuard()] : [];
      const agent = createAgent({ model, tools: [read], middleware });
      await agent.invoke({ messages: [{ role: "user", content: prompt }] }, { recursionLimit: 10 * turnCount });
      expectTurns(calls, turnCount);
    },
  }),
};
