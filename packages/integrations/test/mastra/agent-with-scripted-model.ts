// The agent of Mastra with a model that reads the same log again and again, for a program that names a real one.
import { loadMastra, scriptedModel } from "./mastra.ts";

const mastra = await loadMastra();
const readLog = [{ tool: "read_log", args: { service: "shop" } }];
export const scripted = scriptedModel(Array.from({ length: 20 }, () => readLog));

export class Agent extends mastra.Agent {
  constructor(settings: object) {
    super({ ...settings, model: scripted.model });
  }
}
