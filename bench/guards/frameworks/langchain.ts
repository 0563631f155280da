import { createAgent } from "langchain";
import { createLangChainGuard } from "../../../packages/integrations/dist/langchain/index.js";
import { scriptedModel } from "../../../packages/integrations/test/langchain/scripted-model.ts";
import { toolName } from "../../loop/conversation.ts";
import { expectTurns, type Framework, talkOf } from "../framework.ts";
import { readTool } from "./langchain-tool.ts";

/** `createAgent`, without a checkpointer. */
export const langchain: Framework = {
  name: "langchain 1.5.14",
  load: async () => ({
    async run(turnCount, isGuarded) {
      const talk = talkOf(turnCount);
      const { read, calls } = readTool(talk);
      const model = scriptedModel([...talk.turns.map(({ path }) => [{ name: toolName, args: { path } }]), "Done."]);
      const middleware = isGuarded ? [createLangChainGuard()] : [];
      const agent = createAgent({ model, tools: [read], middleware });
      await agent.invoke({ messages: [{ role: "user", content: talk.prompt }] }, { recursionLimit: 10 * turnCount });
      expectTurns(calls(), turnCount);
    },
  }),
};
