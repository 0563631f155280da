import { expect, test } from "vitest";
import { createMcpProxy, type McpProxy } from "./create-mcp-proxy.ts";

let time = 1_000;
const proxyWith = (options: Parameters<typeof createMcpProxy>[0] = {}) =>
  createMcpProxy({
    now: () => {
      time += 100;
      return time;
    },
    ...options,
  });

const request = (id: unknown, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const callLine = (id: unknown, name = "build", args: object = { target: "all" }) =>
  request(id, "tools/call", { name, arguments: args });
const resultLine = (id: unknown, text: string, more: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], ...more } });

const historyOf = (proxy: McpProxy) => proxy.guard.guardian.snapshot().history;

/** The texts that the host receives for a failing call. */
function failingCall(proxy: McpProxy, id: unknown): readonly string[] {
  const { toServer, toHost } = proxy.fromHost(callLine(id));
  const failed = resultLine(id, "no rule to make target", { isError: true });
  const line = toServer === undefined ? toHost : (proxy.fromServer(failed) ?? failed);
  const message = JSON.parse(line ?? "") as { id: unknown; result: { content: { text: string }[]; isError: boolean } };
  expect([message.id, message.result.isError]).toEqual([id, true]);
  return [toServer === undefined ? "refused" : "made", ...message.result.content.map(({ text }) => text)];
}

test("a loop gets a hint in its result, then refusals, and in the end every call is refused", () => {
  const proxy = proxyWith();
  const answers = Array.from({ length: 8 }, (_, index) => failingCall(proxy, index));
  expect(answers.map(([made]) => made)).toEqual([...Array(5).fill("made"), "refused", "refused", "refused"]);
  expect(answers[0]).toEqual(["made", "no rule to make target"]);
  expect(answers[2]?.[2]).toMatch(/^<sheepdog-notice id="e1\/hint">This exact call to "build" has failed 3 times/);
  expect(answers[5]?.[1]).toMatch(/refused|failed/);
  expect(proxy.guard.stop?.reason).toBe("tool_failures");
  const other = proxy.fromHost(callLine("other", "list", {}));
  expect(other.toServer).toBeUndefined();
  expect(other.toHost).toContain("Every further call to this server is refused");
});

test("everything but calls passes unchanged", () => {
  const proxy = proxyWith();
  for (const line of [
    request(1, "initialize"),
    request("a", "tools/list"),
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":5}}',
    '{ "jsonrpc": "2.0",  "id": 4, "result": {} }\r',
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}',
    '{"jsonrpc":"2.0","id":9,"method":"tools/call"}',
    "this is no JSON",
    "",
    "null",
    "[1]",
  ]) {
    expect(proxy.fromHost(line)).toEqual({ toServer: "unchanged", toHost: undefined });
    expect(proxy.fromServer(line)).toBeUndefined();
  }
});

test("a request of the server with the id of a call is not its result", () => {
  const proxy = proxyWith();
  proxy.fromHost(callLine(1));
  expect(proxy.fromServer(request(1, "sampling/createMessage"))).toBeUndefined();
  expect(proxy.fromServer(resultLine(1, "ok"))).toBeUndefined();
});

test("parallel calls are told apart by their ids, and 1 is not the text 1", () => {
  const proxy = proxyWith();
  proxy.fromHost(callLine(1, "read", { path: "a" }));
  proxy.fromHost(callLine("1", "read", { path: "b" }));
  expect(proxy.fromServer(resultLine("1", "b"))).toBeUndefined();
  expect(proxy.fromServer(resultLine(1, "a"))).toBeUndefined();
  expect(historyOf(proxy).map(({ outcome }) => outcome.status)).toEqual(["ok", "ok"]);
});

test("of a batch only the refused calls are taken out", () => {
  const proxy = proxyWith();
  for (let id = 0; id < 5; id++) failingCall(proxy, id);
  const batch = `[${callLine(5)},${request(6, "ping")}]`;
  const { toServer, toHost } = proxy.fromHost(batch);
  expect(toServer).toEqual({ line: `[${request(6, "ping")}]` });
  expect(JSON.parse(toHost ?? "")).toMatchObject([{ id: 5, result: { isError: true } }]);
  expect(proxy.fromHost(`[${callLine(7)}]`).toServer).toBeUndefined();
  expect(proxy.fromServer(`[${resultLine(6, "pong")}]`)).toBeUndefined();
});

test("a cancelled call is over, and a late result of it passes", () => {
  const proxy = proxyWith();
  proxy.fromHost(callLine(1));
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  expect(proxy.fromHost(JSON.stringify(cancel)).toServer).toBe("unchanged");
  expect(historyOf(proxy)[0]?.outcome.status).toBe("interrupted");
  expect(proxy.fromServer(resultLine(1, "late"))).toBeUndefined();
});

test("a notice waits while results have no room for it", () => {
  const proxy = proxyWith();
  for (let id = 0; id < 3; id++) {
    proxy.fromHost(callLine(id));
    const error = { jsonrpc: "2.0", id, error: { code: -32602, message: "Unknown tool: build" } };
    expect(proxy.fromServer(JSON.stringify(error))).toBeUndefined();
  }
  proxy.fromHost(callLine(3, "list", {}));
  expect(proxy.fromServer(resultLine(3, "a.ts"))).toContain("<sheepdog-notice");
});

test("in observe mode nothing is changed, and what would have been done is told", () => {
  const levels: string[] = [];
  const proxy = proxyWith({
    mode: "observe",
    onEvent: (event) => {
      if (event.type === "intervention") levels.push(`${event.intervention.level} ${event.intervention.isApplied}`);
    },
  });
  for (let id = 0; id < 12; id++) {
    expect(proxy.fromHost(callLine(id)).toServer).toBe("unchanged");
    expect(proxy.fromServer(resultLine(id, "no rule", { isError: true }))).toBeUndefined();
  }
  expect(levels).toEqual(["hint false", "warn false", "block false", "halt false"]);
});

test("a call that is repeated after minutes of silence counts less: a person has probably asked for it", () => {
  const proxy = proxyWith();
  for (let id = 0; id < 12; id++) {
    time += 6 * 60_000;
    expect(failingCall(proxy, id)).toEqual(["made", "no rule to make target"]);
  }
});

test("refused calls are no silence: the agent does not get out of them by going on", () => {
  const proxy = proxyWith();
  const answers = Array.from({ length: 12 }, (_, id) => {
    if (id > 5) time += 2 * 60_000;
    return failingCall(proxy, id)[0];
  });
  expect(answers).toEqual([...Array(5).fill("made"), ...Array(7).fill("refused")]);
});

test("a tool that the server calls read-only is one, and limits of turns do not end a connection", () => {
  const proxy = proxyWith({ policy: { limits: { turns: { stop: 3 } } } });
  proxy.fromHost(request("l", "tools/list"));
  const tools = [{ name: "send_report", annotations: { readOnlyHint: true } }];
  proxy.fromServer(JSON.stringify({ jsonrpc: "2.0", id: "l", result: { tools } }));
  for (let id = 0; id < 5; id++) {
    proxy.fromHost(callLine(id, "send_report", { page: id }));
    proxy.fromServer(resultLine(id, `page ${id} of the report`));
  }
  expect(historyOf(proxy).map(({ kind }) => kind)).toEqual(Array(5).fill("read"));
  expect(proxy.guard.stop).toBeUndefined();
});
