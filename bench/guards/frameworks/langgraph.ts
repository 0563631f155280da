import { Annotation, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import {
  type GraphGuardState,
  guardToolNode,
  unlessStopped,
} from "../../../packages/integrations/dist/langgraph/index.js";
import { scriptedModel } from "../../../packages/integrations/test/langchain/scripted-model.ts";
import { toolName } from "../../loop/conversation.ts";
import { expectTurns, type Framework, talkOf } from "../framework.ts";
import { readTool } from "./langchain-tool.ts";

const State = Annotation.Root({ ...MessagesAnnotation.spec, sheepdog: Annotation<GraphGuardState | undefined>() });

/** A graph of a model and a `ToolNode`, without a checkpointer. */
export const langgraph: Framework = {
  name: "langgraph 1.4.18",
  load: async () => ({
    async run(turnCount, isGuarded) {
      const talk = talkOf(turnCount);
      const { read, calls } = readTool(talk);
      const replies = [...talk.turns.map(({ path }) => [{ name: toolName, args: { path } }]), "Done."];
      const bound = scriptedModel(replies).bindTools([read]);
      const tools = new ToolNode([read]);
      const graph = new StateGraph(State)
        .addNode("model", async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
        .addNode("tools", isGuarded ? guardToolNode(tools) : tools)
        .addEdge(START, "model")
        .addConditionalEdges("model", toolsCondition)
        .addConditionalEdges("tools", isGuarded ? unlessStopped("model") : () => "model" as const)
        .compile();
      await graph.invoke({ messages: [{ role: "user", content: talk.prompt }] }, { recursionLimit: 10 * turnCount });
      expectTurns(calls(), turnCount);
    },
  }),
};
