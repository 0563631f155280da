import { memoryStores } from "@sheepdog/agent";
import { expect, test, vi } from "vitest";
import { spawnRun } from "./spawn-run.ts";

test("a folder for its files that cannot be made is said, and nothing is started", async () => {
  vi.stubEnv("TMPDIR", "/nowhere/at/all");
  try {
    const request = { options: [], prompt: "Go.", cwd: "/", sessionId: "ses_a", startedText: "Started." };
    const result = await spawnRun({ stores: memoryStores(), env: {} }, ["/nowhere/program"], request);
    expect(result).toEqual({
      isDone: false,
      text: expect.stringMatching(/^The run was not started: ENOENT/),
      runId: null,
    });
  } finally {
    vi.unstubAllEnvs();
  }
});
