// LangChain with a model that reads the same log again and again, for programs that name a real one.
import { createAgent as createRealAgent } from "langchain";
import { scriptedModel } from "./scripted-model.ts";

export * from "langchain";

const readLog = [{ name: "read_log", args: { service: "shop" } }];
export const model = scriptedModel(Array.from({ length: 20 }, () => readLog));

export function createAgent(options: object): unknown {
  return createRealAgent({ ...options, model } as never); // the options of the program
}

export async function initChatModel(): Promise<unknown> {
  return model;
}
