import { expect, onTestFinished, test, vi } from "vitest";
import { startAnthropicServer } from "../claude-agent-sdk/anthropic-server.ts";
import { runPageProgram } from "../page-program.ts";

test("the program of docs/integrations/ai-sdk.md is guarded", async () => {
  const server = await startAnthropicServer(() => [{ name: "readLog", input: { service: "shop" } }]);
  onTestFinished(() => server.close());
  vi.stubEnv("ANTHROPIC_API_KEY", "a-key");
  vi.stubEnv("ANTHROPIC_BASE_URL", `${server.url}/v1`);
  const printed = await runPageProgram("ai-sdk.md");
  expect(server.requests).toHaveLength(8);
  expect(server.requests.at(3)).toContain('<sheepdog-notice id=\\"e1/hint\\">');
  expect(server.requests.at(6)).toContain("Refused by the guardian, not run.");
  expect(printed).toMatch(/^This exact call to "readLog" has failed 5 times .* The run is ended here\.$/);
});
