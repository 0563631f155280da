import { expect, test } from "vitest";
import { runPageProgram } from "../page-program.ts";
import { peer } from "../peer.ts";
import { noticesIn } from "./mastra.ts";

const mastra = peer("mastra");

test.skipIf(!mastra.isInstalled)(`the program of docs/integrations/mastra.md is guarded${mastra.hint}`, async () => {
  const { scripted } = await import("./agent-with-scripted-model.ts");
  const printed = await runPageProgram("mastra.md", {
    "@mastra/core/agent": new URL("./agent-with-scripted-model.ts", import.meta.url).pathname,
    "@mastra/core/tools": mastra.url("@mastra/core/dist/tools/index.js"),
  });
  expect(scripted.prompts).toHaveLength(8);
  expect(noticesIn(scripted)[3]).toEqual([expect.stringContaining('id="e1/hint"')]);
  expect(JSON.stringify(scripted.prompts[6])).toContain("Refused by the guardian, not run.");
  expect(printed).toMatch(/^This exact call to "read_log" has failed 5 times .* The run is ended here\.$/);
});
