import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { answer, call, cases, type ForeignCase, failure, longAnswer } from "./foreign-cases.ts";
import { type Dialect, type ForeignServer, isBuilt, startForeignServer } from "./foreign-server.ts";
import { hasTmux, runInTerminal } from "./foreign-terminal.ts";

const everyDialect: readonly Dialect[] = ["anthropic", "openai", "openai-compatible"];
const fastClock = { NODE_OPTIONS: `--import=${new URL("fast-clock.mjs", import.meta.url)}` };

/** Starts the server of a case, in a workspace with its files. */
async function startCase(context: TestContext, dialect: Dialect, foreignCase: ForeignCase): Promise<ForeignServer> {
  const { replies, files = {}, hasFastClock = false } = foreignCase;
  const server = await startForeignServer(context, dialect, {
    replies: "anthropic" in replies ? replies[dialect] : replies,
    env: hasFastClock ? fastClock : {},
  });
  for (const [name, content] of Object.entries(files)) await writeFile(join(server.workspace, name), content);
  return server;
}

function expectRequests(server: ForeignServer, { requests, lateTurns = 0 }: ForeignCase, way: "piped" | "inTerminal") {
  const turns = server.requests().filter((request) => !request.includes("You judge whether an AI agent is stuck"));
  expect(turns.length).toBeGreaterThanOrEqual(requests[way]);
  expect(turns.length).toBeLessThanOrEqual(requests[way] + lateTurns);
}

describe.skipIf(!isBuilt).concurrent("through pipes, with a server of the dialect", () => {
  describe.for(everyDialect)("%s", (dialect) => {
    for (const foreignCase of cases)
      test(foreignCase.name, async (context) => {
        const { prompt = "-", files = {}, piped } = foreignCase;
        const server = await startCase(context, dialect, foreignCase);
        await piped(await server.run(["run", prompt], files["prompt.txt"]), server);
        expectRequests(server, foreignCase, "piped");
      });

    test("a wrong key ends the run at once with exit code 7 and a sentence about the key", async (context) => {
      const replies = [failure(401, "This key is unknown.")];
      const { run, requests } = await startForeignServer(context, dialect, { replies });
      const { code, out, err } = await run(["run", "Hello?"]);
      expect([code, out]).toEqual([7, ""]);
      expect(err).toContain("The provider refused the API key (401)");
      expect(requests()).toHaveLength(1);
    });

    test("a prompt of 40 kB from stdin arrives whole", async (context) => {
      const { run, requests } = await startForeignServer(context, dialect, { replies: [answer("Read.")] });
      const lines = Array.from({ length: 800 }, (_, index) => `Sheep ${index} has the ear tag ${index * 7919}.`);
      expect(await run(["run", "-"], lines.join("\n"))).toMatchObject({ code: 0, out: "Read.\n" });
      for (const line of lines) expect(requests()[0]).toContain(line);
    });

    test("a server that never recovers ends the run in its time, and stderr says how to resume", async (context) => {
      const replies = [failure(500, "The server is on fire.")];
      const { run } = await startForeignServer(context, dialect, { replies });
      const { code, err } = await run(["run", "--max-time", "3s", "Hello?"]);
      expect(code, err).toBe(6);
      expect(err).toContain("The last request failed: The provider failed (500): The server is on fire");
      expect(err).toMatch(/sheepdog run --resume ses_\w+/);
    });
  });
});

describe.skipIf(!isBuilt).concurrent("after kill -9 in the middle of a slow reply", () => {
  test.for(everyDialect)("the command of show resumes the run, and nothing is lost: %s", async (dialect, context) => {
    const { workspace, requests, run, runUntil } = await startForeignServer(context, dialect, {
      replies: [
        call("bash", { command: "echo one sheep >> pen.txt" }, "I write it down."),
        { ...answer(longAnswer), chunkSize: 4, streamingProfile: { ttft: 100, tps: 10, jitter: 0 } },
        answer("One sheep is in the pen."),
      ],
    });
    const killed = await runUntil('"text":"came ', ["run", "--stream-json", "Count the sheep."]);
    expect(killed.code, killed.out).toBe(null);
    expect(killed.out).not.toContain('"text":"gate.');

    const saved = await run(["show", "last"]);
    for (const text of ["Count the sheep.", "I write it down.", "echo one sheep >> pen.txt"])
      expect(saved.out).toContain(text);
    const command = /To resume:\s+sheepdog (run --resume ses_\w+)/.exec(saved.out)?.[1]?.split(" ") ?? [];
    const resumed = await run(command);
    expect([resumed.code, resumed.out], resumed.err).toEqual([0, "One sheep is in the pen.\n"]);

    expect(await readFile(join(workspace, "pen.txt"), "utf8")).toBe("one sheep\n"); // the call was not repeated
    expect(requests()).toHaveLength(3);
    for (const text of ["Count the sheep.", "I write it down.", "echo one sheep >> pen.txt"])
      expect(requests()[2]).toContain(text);
  });
});

describe.skipIf(!isBuilt || !hasTmux).concurrent("in a terminal, with a server of the dialect", () => {
  describe.for(["anthropic", "openai"] as const)("%s", (dialect) => {
    for (const foreignCase of cases)
      test(foreignCase.name, { timeout: 180_000 }, async (context) => {
        const { prompt, inTerminal } = foreignCase;
        const server = await startCase(context, dialect, foreignCase);
        const commandLine = prompt === undefined ? "run - < prompt.txt" : `run '${prompt}'`;
        await inTerminal(await runInTerminal(context, server, commandLine), server);
        expectRequests(server, foreignCase, "inTerminal");
      });
  });
});
