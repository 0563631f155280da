import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { median, quantile } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import type { Ratio } from "../measure/rounds.ts";
import { row } from "../measure/row.ts";
import { save } from "../measure/save.ts";
import { missed, tableOf, thousands, verdict } from "../measure/table.ts";

/**
 * The time of a call of the cheapest tool there is, over stdio: direct, through a process that only copies bytes, and
 * through the proxy. The first two tell what any process in between costs.
 */
const ROUNDS = 40;
const CALLS = 50;
const root = fileURLToPath(new URL("../../", import.meta.url));
const server = [join(root, "node_modules/.bin/mcp-server-everything"), "stdio"];
const home = mkdtempSync(join(tmpdir(), "sheepdog-bench-"));
const [direct, copied, proxied] = ["direct", "through a copying process", "through the proxy"] as const;
const names = [direct, copied, proxied] as const;
const copy =
  "const child = require('node:child_process').spawn(process.execPath, process.argv.slice(1), " +
  "{ stdio: ['pipe', 'pipe', 'ignore'] }); process.stdin.pipe(child.stdin); child.stdout.pipe(process.stdout)";

const clients = {
  [direct]: await connected(process.execPath, server),
  [copied]: await connected(process.execPath, ["-e", copy, ...server]),
  [proxied]: await connected(process.execPath, [
    ...[join(root, "packages/sheepdog/bin/sheepdog.js"), "mcp-proxy", "--observe", "--"],
    ...server,
  ]),
};
const micros: Record<keyof typeof clients, number[]> = { [direct]: [], [copied]: [], [proxied]: [] };
for (let round = -5; round < ROUNDS; round++) {
  for (const [place] of names.entries()) {
    const name = names[(place + round + names.length * ROUNDS) % names.length] ?? direct;
    const time = await microsPerCall(clients[name]);
    if (round >= 0) micros[name].push(time); // the first rounds warm up
  }
}
for (const client of Object.values(clients)) await client.close();
rmSync(home, { recursive: true });

const report: BasicReport<"mcp-proxy"> = {
  benchmark: "mcp-proxy",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    `Wall time of a call of \`echo\` of server-everything over stdio, one after the other; ${CALLS} calls a round, ` +
    "the contestants in turn; the ratio is the median over rounds of the ratio within a round.",
  rows: [
    row(copied, direct, ratioOf(copied, direct)),
    row(proxied, direct, ratioOf(proxied, direct), 6),
    row(proxied, copied, ratioOf(proxied, copied)),
  ],
};
process.stdout.write(
  [
    `MCP proxy, Node ${report.node}. ${report.method}`,
    "",
    ...tableOf(report.rows),
    "",
    `On this machine, now, a call: ${names.map((name) => `${name} ${thousands(median(micros[name]))} µs`).join(", ")}`,
    "",
    verdict(report.rows),
    "",
  ].join("\n"),
);
save(report);
if (process.argv.includes("--check") && missed(report.rows).length > 0) process.exitCode = 1;

async function connected(command: string, args: readonly string[]): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, SHEEPDOG_HOME: home };
  await client.connect(new StdioClientTransport({ command, args: [...args], env, stderr: "ignore" }));
  return client;
}

/** Each call has other words, as in a run that makes progress. */
async function microsPerCall(client: Client): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < CALLS; call++)
    await client.callTool({ name: "echo", arguments: { message: `${randomUUID()} ${randomUUID()}` } });
  return ((performance.now() - start) * 1_000) / CALLS;
}

function ratioOf(name: keyof typeof clients, to: keyof typeof clients): Ratio {
  const ratios = micros[name].map((time, round) => time / (micros[to][round] ?? Number.NaN));
  return { median: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75), rounds: ROUNDS };
}
