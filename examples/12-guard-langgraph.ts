/** The guardian around the tool node of a graph of LangGraph. The model is LangChain's own fake. */
import { Annotation, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { type GraphGuardState, guardToolNode, unlessStopped } from "@sheepdog/integrations/langgraph";
import { AIMessage, fakeModel, tool } from "langchain";
import { z } from "zod";

// A model that runs the same failing test again and again, whatever it reads.
const model = fakeModel();
for (let request = 1; request <= 20; request++)
  model.respond((messages) => {
    const notice = /id="(e\d+\/\w+)"/.exec(messages.at(-1)?.text ?? "")?.[1];
    console.log(`request ${request}${notice === undefined ? "" : `, after the notice ${notice}`}`);
    const call = { name: "bash", args: { command: "npm test" }, id: `call_${request}` };
    return new AIMessage({ content: "", tool_calls: [call] });
  });
const bash = tool(
  ({ command }): string => {
    throw new Error(`${command}: Cannot find module './sum.js'`);
  },
  { name: "bash", description: "Runs a command", schema: z.object({ command: z.string() }) },
);

// The guard keeps what it remembers in the state of the graph, so a checkpointer saves it too.
const State = Annotation.Root({ ...MessagesAnnotation.spec, sheepdog: Annotation<GraphGuardState | undefined>() });
const bound = model.bindTools([bash]);
const agent = new StateGraph(State)
  .addNode("model", async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
  .addNode("tools", guardToolNode(new ToolNode([bash])))
  .addEdge(START, "model")
  .addConditionalEdges("model", toolsCondition)
  .addConditionalEdges("tools", unlessStopped("model"))
  .compile();
const { messages, sheepdog } = await agent.invoke(
  { messages: [{ role: "user", content: "Make the tests pass." }] },
  { recursionLimit: 100 },
);

console.log(messages.findLast(({ type }) => type === "tool")?.text);
console.log(`${model.callCount} requests: ${sheepdog?.stop?.reason}`);
