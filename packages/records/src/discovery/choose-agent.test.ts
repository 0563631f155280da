import { expect, test } from "vitest";
import { chooseAgent } from "./choose-agent.ts";

test("an agent is chosen by its id, its name or an unambiguous beginning", () => {
  for (const text of ["claude-code", "Claude Code", "claude", " cl"])
    expect(chooseAgent(text)).toEqual({ ok: true, agent: "claude-code" });
  expect(chooseAgent("pi")).toEqual({ ok: true, agent: "pi" });
  expect(chooseAgent("sheep", ["codex", "sheepdog"])).toEqual({ ok: true, agent: "sheepdog" });
});

test("an unknown or ambiguous agent is a problem that lists the known ones", () => {
  expect(chooseAgent("cursor", ["codex", "pi"])).toEqual({
    ok: false,
    problem: 'the agent "cursor" is unknown; known are codex, pi',
  });
  expect(chooseAgent("open")).toEqual({
    ok: false,
    problem: 'the agent "open" may be opencode or openhands or openclaw',
  });
  expect(chooseAgent(" ").ok).toBe(false);
});
