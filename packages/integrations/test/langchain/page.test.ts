import { expect, test } from "vitest";
import { runPageProgram } from "../page-program.ts";
import { model } from "./langchain-with-scripted-model.ts";
import { noticesIn } from "./scripted-model.ts";

test("the program of docs/integrations/langchain.md is guarded", async () => {
  const langchain = new URL("./langchain-with-scripted-model.ts", import.meta.url).pathname;
  const printed = await runPageProgram("langchain.md", { langchain });
  expect(model.callCount).toBe(8);
  expect(noticesIn(model)[3]).toEqual([expect.stringContaining('id="e1/hint"')]);
  expect(model.calls[6]?.messages.at(-1)?.text).toContain("Refused by the guardian, not run.");
  expect(printed).toMatch(/^This exact call to "read_log" has failed 5 times .* The run is ended here\.$/);
});
