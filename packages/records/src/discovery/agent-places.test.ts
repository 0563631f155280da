import { expect, test } from "vitest";
import { agentPlaces, type Machine } from "./agent-places.ts";

const machine: Machine = { env: {}, homeFolder: "/home/ada", platform: "linux" };

function pathsOf(agent: string, env: Machine["env"] = {}, platform: NodeJS.Platform = "linux"): readonly string[] {
  return agentPlaces({ ...machine, env, platform })
    .filter((place) => place.agent === agent)
    .map(({ path }) => path);
}

test("each agent has its standard places in the home folder", () => {
  expect(agentPlaces(machine).map(({ agent, path }) => `${agent} ${path.replace("/home/ada", "~")}`)).toEqual([
    "claude-code ~/.claude/projects",
    "claude-code ~/.config/claude/projects",
    "codex ~/.codex/sessions",
    "codex ~/.codex/archived_sessions",
    "gemini-cli ~/.gemini/tmp/*/chats",
    "qwen-code ~/.qwen/projects/*/chats",
    "qwen-code ~/.qwen/tmp/*/chats",
    "opencode ~/.local/share/opencode/opencode*.db",
    "opencode ~/.local/share/opencode/storage",
    "kilo ~/.local/share/kilo/kilo*.db",
    "kilo ~/.local/share/kilo/opencode*.db",
    "kilo ~/.local/share/kilo/storage",
    "openhands ~/.openhands/conversations",
    "openhands ~/.openhands/sessions",
    "pi ~/.pi/agent/sessions",
    "openclaw ~/.openclaw/agents/*/sessions",
    "openclaw ~/.clawdbot/agents/*/sessions",
    "goose ~/.local/share/goose/sessions/sessions.db",
    "goose ~/.local/share/Block/goose/sessions/sessions.db",
    "hermes ~/.hermes/state.db",
    "copilot ~/.copilot/otel",
    "claude-code ~/.sheepdog/attach/claude-code/*.jsonl",
    "codex ~/.sheepdog/attach/codex/*.jsonl",
    "gemini-cli ~/.sheepdog/attach/gemini-cli/*.jsonl",
    "cursor ~/.sheepdog/attach/cursor/*.jsonl",
    "opencode ~/.sheepdog/attach/opencode/*.jsonl",
  ]);
});

test("what hooks recorded is in Sheepdog's home, and comes after what the agents recorded themselves", () => {
  expect(pathsOf("cursor", { SHEEPDOG_HOME: "/srv/dog" })).toEqual(["/srv/dog/attach/cursor/*.jsonl"]);
  expect(agentPlaces(machine).findLast(({ isOfHooks }) => isOfHooks === undefined)?.agent).toBe("copilot");
});

test("variables of the agents replace the standard folders", () => {
  const env = {
    CLAUDE_CONFIG_DIR: "/work/claude, ~/other-claude,",
    CODEX_HOME: "/work/codex",
    GEMINI_CLI_HOME: "/work/gemini",
    QWEN_HOME: "/work/qwen",
    XDG_DATA_HOME: "/work/data",
    OPENCODE_DB: "/work/open.db",
    OPENHANDS_CONVERSATIONS_DIR: "/work/hands",
    PI_CODING_AGENT_DIR: "/work/pi",
    OPENCLAW_STATE_DIR: "/work/claw",
    GOOSE_PATH_ROOT: "/work/goose",
    COPILOT_OTEL_FILE_EXPORTER_PATH: "/work/spans.jsonl",
  };
  const first = (agent: string) => pathsOf(agent, env)[0];
  expect(pathsOf("claude-code", env)).toEqual([
    "/work/claude/projects",
    "/home/ada/other-claude/projects",
    "/home/ada/.sheepdog/attach/claude-code/*.jsonl",
  ]);
  expect(pathsOf("codex", env)).toEqual([
    "/work/codex/sessions",
    "/work/codex/archived_sessions",
    "/home/ada/.sheepdog/attach/codex/*.jsonl",
  ]);
  expect(pathsOf("opencode", env)).toEqual([
    "/work/open.db",
    "/work/data/opencode/opencode*.db",
    "/work/data/opencode/storage",
    "/home/ada/.sheepdog/attach/opencode/*.jsonl",
  ]);
  expect(pathsOf("openhands", env)).toEqual(["/work/hands"]);
  expect(["gemini-cli", "qwen-code", "pi", "openclaw", "goose", "copilot"].map(first)).toEqual([
    "/work/gemini/.gemini/tmp/*/chats",
    "/work/qwen/projects/*/chats",
    "/work/pi/sessions",
    "/work/claw/agents/*/sessions",
    "/work/goose/data/sessions/sessions.db",
    "/work/spans.jsonl",
  ]);
  expect(pathsOf("claude-code", { CLAUDE_CONFIG_DIR: " " })[0]).toBe("/home/ada/.claude/projects");
});

test("macOS has the same places, and one more of goose", () => {
  expect(pathsOf("opencode", {}, "darwin")).toEqual(pathsOf("opencode"));
  expect(pathsOf("goose", {}, "darwin")).toContain(
    "/home/ada/Library/Application Support/Block/goose/sessions/sessions.db",
  );
});
