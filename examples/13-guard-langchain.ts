/** The guardian in an agent of LangChain: one middleware. The model is LangChain's own fake. */
import { createLangChainGuard } from "@sheepdog/integrations/langchain";
import { AIMessage, createAgent, fakeModel, tool } from "langchain";
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

const agent = createAgent({ model, tools: [bash], middleware: [createLangChainGuard()] });
const { messages, sheepdog } = await agent.invoke(
  { messages: [{ role: "user", content: "Make the tests pass." }] },
  { recursionLimit: 100 },
);

console.log(messages.findLast(({ type }) => type === "tool")?.text);
console.log(`${model.callCount} requests: ${sheepdog?.stop?.reason}`);
console.log(messages.at(-1)?.text);
