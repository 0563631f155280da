import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { runPageProgram } from "../page-program.ts";
import { peer } from "../peer.ts";
import { startAnthropicServer } from "./anthropic-server.ts";

const sdk = peer("claude-agent-sdk");

test.skipIf(!sdk.isInstalled)(
  `the program of docs/integrations/claude-agent-sdk.md is guarded${sdk.hint}`,
  async () => {
    const home = await mkdtemp(join(tmpdir(), "sheepdog-claude-"));
    const input = { command: `cat ${join(home, "missing.txt")}`, description: "Shows a file" };
    const server = await startAnthropicServer(() => [{ name: "Bash", input }]);
    onTestFinished(async () => {
      await server.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    });
    const variables = {
      HOME: home,
      ANTHROPIC_API_KEY: "a-key",
      ANTHROPIC_BASE_URL: server.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const url = sdk.url("@anthropic-ai/claude-agent-sdk/sdk.mjs");
    const printed = await runPageProgram("claude-agent-sdk.md", { "@anthropic-ai/claude-agent-sdk": url });
    expect(server.requests).toHaveLength(8);
    expect(printed).toMatch(/This exact call to "Bash" has failed 5 times .* The run is ended here\.$/);
  },
);
