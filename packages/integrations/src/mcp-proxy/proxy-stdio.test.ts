import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { proxyStdio, type StdioProxyOptions } from "./proxy-stdio.ts";

/** Starts a server, which is a script of Node, behind the proxy. */
function start(script: string, more: Partial<StdioProxyOptions> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const chunks: Buffer[] = [];
  output.on("data", (chunk: Buffer) => chunks.push(chunk));
  const options = { command: process.execPath, args: ["-e", script], host: { input, output }, graceMs: 300, ...more };
  const result = proxyStdio(options);
  const text = () => Buffer.concat(chunks).toString("utf8");
  return { input, output, result, text };
}

/** Answers each line with itself. */
const echo = "process.stdin.pipe(process.stdout)";

test("lines pass in both directions byte by byte, whatever they are", async () => {
  const { input, result, text } = start(echo);
  const huge = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { text: "ü".repeat(3_000_000) } });
  const all = `garbage\n\n{ "jsonrpc":"2.0" }\r\n${huge}\nno newline at the end`;
  const bytes = Buffer.from(all);
  for (let at = 0; at < bytes.length; at += 65_521) input.write(bytes.subarray(at, at + 65_521)); // cuts characters
  input.end();
  expect(await result).toEqual({ ok: true, exitCode: 0 });
  expect(text() === all).toBe(true);
});

test("a slow host slows the server down, and nothing is lost", async () => {
  const lines = 20_000;
  const script = `for (let i = 0; i < ${lines}; i++) process.stdout.write("line " + i + " " + "x".repeat(200) + "\\n")`;
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 1_000 });
  const { result } = start(script, { host: { input, output } });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(output.readableLength).toBeLessThan(10_000); // it waits for the host
  let received = 0;
  for await (const chunk of output) {
    received += String(chunk).split("\n").length - 1;
    if (received === lines) break;
  }
  expect(await result).toEqual({ ok: true, exitCode: 0 });
});

test("the proxy ends as its server ends", async () => {
  expect(await start("process.exit(7)").result).toEqual({ ok: true, exitCode: 7 });
  expect(await start("process.kill(process.pid, 'SIGKILL')").result).toEqual({ ok: true, exitCode: 137 });
  const { result, text } = start("process.stdout.write('last words'); process.exitCode = 3");
  expect([await result, text()]).toEqual([{ ok: true, exitCode: 3 }, "last words"]);
});

test("a server that does not end when its host is gone is killed", async () => {
  const { input, result } = start("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)");
  input.end();
  expect(await result).toEqual({ ok: true, exitCode: 137 });
});

test("signals reach the server", async () => {
  let send: (signal: NodeJS.Signals) => void = () => {};
  const script = "process.on('SIGINT', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')";
  const { result, output } = start(script, {
    onSignal: (listener) => {
      send = listener;
      return () => {};
    },
  });
  await new Promise((resolve) => output.once("data", resolve));
  send("SIGINT");
  expect(await result).toEqual({ ok: true, exitCode: 5 });
});

test("a host whose end breaks ends the server", async () => {
  const { output, result } = start("setInterval(() => console.log('more'), 5)");
  await new Promise((resolve) => output.once("data", resolve));
  output.destroy();
  expect(await result).toMatchObject({ ok: true, exitCode: 143 });
});

test("a server that cannot be started is named", async () => {
  const problem = 'the server cannot be started: there is no program "no-such-program"';
  expect(await start("", { command: "no-such-program" }).result).toEqual({ ok: false, problem });
});

test("a refused call never reaches the server", async () => {
  const script = `
    let seen = 0;
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id } = JSON.parse(line);
      const content = [{ type: "text", text: "failed" }];
      console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { content, isError: true } }));
      seen++;
    }).on("close", () => process.exit(seen));`;
  const { input, output, result } = start(script);
  const params = { name: "build", arguments: {} };
  for (let id = 0; id < 8; id++) {
    const answered = new Promise((resolve) => output.once("data", resolve));
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
    await answered;
  }
  input.end();
  expect(await result).toEqual({ ok: true, exitCode: 5 }); // it counts the calls that it saw
});
