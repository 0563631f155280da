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

test("a missing key is to be set in the environment of the server that starts the run", async () => {
  const program = [
    process.execPath,
    "-e",
    "console.error('sheepdog: no API key for x'); process.exitCode = 2",
  ] as const;
  const request = { options: [], prompt: undefined, cwd: "/", sessionId: "ses_a", startedText: "Started." };
  const textWith = async (server: { readonly server?: string }) =>
    (await spawnRun({ stores: memoryStores(), env: process.env }, program, { ...request, ...server })).text;
  const said = (server: string) =>
    "The run was not started: no API key for x\n" +
    `Set the key in the environment of ${server}, and start the server again.`;
  expect(await textWith({})).toBe(said("sheepdog serve"));
  expect(await textWith({ server: "sheepdog mcp-server" })).toBe(said("sheepdog mcp-server"));
});
