import { describe, expect, test } from "vitest";
import { annotatedKind, inferKind } from "./kind.ts";

describe("kind", () => {
  test.each([
    ["read_file", { path: "a" }, "read"],
    ["getUserInfo", {}, "read"],
    ["mcp__github__create-issue", { title: "x" }, "mutate"],
    ["user_update", { id: 1 }, "mutate"],
    ["send_email", { to: "x" }, "send"],
    ["get_job_status", { id: 1 }, "poll"],
    ["sleep", { seconds: 5 }, "wait"],
    ["write_stdin", { session_id: 7, chars: "", yield_time_ms: 30_000 }, "poll"],
    ["write_stdin", { session_id: 7, chars: "y\n" }, "mutate"],
    ["todo_write", { todos: [] }, "think"],
    ["sequentialthinking", { thought: "x" }, "think"],
    ["frobnicate", { x: 1 }, "unknown"],
    ["file", { action: "delete", path: "a" }, "mutate"],
    ["database", { query: "SELECT 1" }, "read"],
    ["database", { sql: "DELETE FROM users" }, "mutate"],
    ["bash", { command: "ls -la | grep x" }, "unknown"],
    ["bash", { command: "npm test" }, "unknown"],
    ["bash", { command: "npm install left-pad" }, "mutate"],
    ["bash", { command: "echo hi > a.txt" }, "mutate"],
    ["bash", { command: "ls > /dev/null 2>&1" }, "unknown"],
    ["bash", { command: "cd app && git commit -am 'x > y'" }, "mutate"],
    ["bash", { command: "git diff --stat" }, "unknown"],
    ["bash", { command: "sudo rm -rf build" }, "mutate"],
    ["bash", { command: "FOO=1 sed -i s/a/b/ x" }, "mutate"],
    ["bash", { command: "cat a.json | jq '.x > 3'" }, "unknown"],
    ["bash", { command: "sleep 30; kubectl get pods" }, "poll"],
    ["bash", { command: "sleep 30" }, "wait"],
    ["shell", { command: ["bash", "-c"] }, "unknown"],
    ["bash", "npm test", "unknown"],
    ["bash", undefined, "unknown"],
  ])("%s %j is %s", (tool, args, kind) => {
    expect(inferKind(tool, args)).toBe(kind);
  });

  test("what an MCP server says of its tool is understood", () => {
    expect(annotatedKind({ readOnlyHint: true })).toBe("read");
    expect(annotatedKind({ readOnlyHint: false, destructiveHint: true })).toBe("mutate");
    expect(annotatedKind({ openWorldHint: true })).toBeUndefined();
    expect(annotatedKind(undefined)).toBeUndefined();
  });
});

describe("a command written to be slow to read", () => {
  test.each([
    ["options of ssh", `ssh${" -a".repeat(1_300)} !`],
    ["options of ssh with values", `ssh${" -a b".repeat(600)} !`],
    ["options of docker exec", `docker exec${" -a".repeat(1_300)}`],
    ["options of kubectl", `kubectl${" -a b".repeat(600)} exec ${"x ".repeat(1_000)}`],
    ["open brackets", "open(,".repeat(20_000)],
    ["quotes", `ssh ${"'".repeat(4_000)}`],
    ["escapes", `sh -c "${"\\".repeat(4_000)}`],
  ])("%s: it is read all the same", (_, command) => {
    expect(inferKind("bash", { command })).toBe("unknown"); // with a bad pattern it would not end
  });

  test("a command behind ssh, a container or a shell is read", () => {
    const kinds = [
      "ssh -p 22 me@host 'apt-get install jq'",
      "ssh host rm -rf build",
      "docker exec -it web rm -rf build",
      "kubectl -n shop exec web -- rm -rf build",
      'bash -c "git commit -m x"',
    ].map((command) => inferKind("bash", { command }));
    expect(kinds).toEqual(["mutate", "mutate", "mutate", "mutate", "mutate"]);
  });
});
