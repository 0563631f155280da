import { expect, test } from "vitest";
import { runPageProgram } from "../page-program.ts";
import { peer } from "../peer.ts";
import { loadSdk, noticesIn, scriptedModel } from "./sdk.ts";

const sdkPeer = peer("openai-agents");

test.skipIf(!sdkPeer.isInstalled)(
  `the program of docs/integrations/openai-agents.md is guarded${sdkPeer.hint}`,
  async () => {
    const sdk = await loadSdk();
    const readLog = [{ tool: "read_log", args: { service: "shop" } }];
    const model = scriptedModel(
      sdk,
      Array.from({ length: 20 }, () => readLog),
    );
    sdk.setDefaultModelProvider({ getModel: () => model });
    const url = sdkPeer.url("@openai/agents/dist/index.mjs");
    const printed = await runPageProgram("openai-agents.md", { "@openai/agents": url });
    expect(model.calls).toHaveLength(8);
    expect(noticesIn(model)[3]).toEqual([expect.stringContaining('id="e1/hint"')]);
    expect(JSON.stringify(model.calls.at(6)?.request.input)).toContain("Refused by the guardian, not run.");
    expect(printed).toMatch(/^This exact call to "read_log" has failed 5 times .* The run is ended here\.$/);
  },
);
