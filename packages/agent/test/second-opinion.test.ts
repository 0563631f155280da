import { type AgentEvent, defineTool, memoryStores, ok, type RuntimeOptions, type Tool } from "@sheepdog/agent";
import { type ModelRequest, type ScriptedModelOptions, scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy, type Policy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { session, type TestAgent, testAgent } from "./test-agent.ts";

const beforeForce: Policy = { ...defaultPolicy, secondOpinion: "before-force" };
const stuck = '{"verdict":"stuck","advice":"Read the file that the error names."}';

const listing: Tool = defineTool({
  name: "list_dir",
  kind: "read",
  description: "",
  input: z.looseObject({}),
  run: async () => ok("README.md\nsrc\ntest"),
});

/** Finds nothing, whatever it is asked for. */
const search = (result: string): Tool =>
  defineTool({
    name: "search_docs",
    kind: "read",
    description: "",
    input: z.looseObject({}),
    run: async () => ok(result),
  });

const nothingFound = search("No results were found for this query in the documentation.");

/** Makes the same call for ever. */
const equalCall = { calls: [{ tool: "list_dir", input: { path: "." } }] };
/** Searches for ever, each time in slightly different words. */
const similarCall = ({ index }: ModelRequest) => ({
  calls: [
    {
      tool: "search_docs",
      input: {
        query: `how to configure the retry policy of the http client ${"abcdefghijklmnopqrstuvwxyz"[index % 26]}${index}`,
      },
    },
  ],
});

interface Agent extends TestAgent {
  readonly model: ReturnType<typeof scriptedModel>;
  opinions(): readonly Extract<AgentEvent, { type: "OpinionGiven" }>[];
}

function agent(model: ScriptedModelOptions, options: Partial<RuntimeOptions> = {}): Agent {
  const scripted = scriptedModel([], model);
  const created = testAgent(scripted, [listing, nothingFound], { policy: beforeForce, ...options });
  const opinions = () => created.events.filter((event) => event.type === "OpinionGiven");
  return { ...created, model: scripted, opinions };
}

const levels = ({ events }: TestAgent) =>
  events.flatMap((event) =>
    event.type === "GuardianIntervention" && event.intervention.denies === undefined ? [event.intervention.level] : [],
  );

describe("an opinion", () => {
  test("stuck: a loop of similar calls is ended, and the agent is told the advice before", async () => {
    const tested = agent({ afterLast: similarCall, opinion: { text: stuck } });
    const result = await tested.run("Find the retry policy.");
    expect([result.state, tested.opinions().map(({ verdict }) => verdict)]).toEqual(["error", ["stuck"]]);
    const [given] = tested.opinions();
    expect(given).toMatchObject({ advice: "Read the file that the error names.", model: "scripted" });
    expect(given?.costNanoUsd).toBeGreaterThan(0);
    expect(tested.model.requests.some(({ text }) => text.includes("Read the file that the error names."))).toBe(true);
  });
});
