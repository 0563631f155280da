// The screen of chat while the user is asked about an edit, after an intervention of the guardian.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { startWireServer } from "@sheepdog/agent/testing";
import { withoutDurations } from "./without-durations.mjs";

const command = fileURLToPath(new URL("../../packages/sheepdog/bin/sheepdog.js", import.meta.url));
const ROWS = 40;
const TIMEOUT_MS = 30_000;

const files = {
  "package.json": '{ "type": "module" }\n',
  "flock.js": [
    "/** The number of sheep in all pens. */",
    "export function countSheep(pens) {",
    "  let sheep = 0;",
    "  for (let i = 1; i < pens.length; i++) sheep += pens[i].length;",
    "  return sheep;",
    "}",
    "",
  ].join("\n"),
  "flock.test.js": [
    'import { countSheep } from "./flock.js";',
    'const counted = countSheep([["Dolly"], ["Shaun", "Timmy"]]);',
    'console.log(counted === 3 ? "all 3 sheep are there" : "expected 3 sheep, got " + counted);',
    "process.exitCode = counted === 3 ? 0 : 1;",
    "",
  ].join("\n"),
};
const usage = { input: 3_000, output: 60 };
const runTest = { calls: [{ tool: "bash", input: { command: "node flock.test.js" } }], usage };
const script = [
  { text: "I'll run the test.", ...runTest },
  { text: "Once more.", ...runTest },
  { text: "And again.", ...runTest },
  { text: "I'll read the code instead.", calls: [{ tool: "read", input: { path: "flock.js" } }], usage },
  {
    text: "The loop skips the first pen.",
    calls: [{ tool: "edit", input: { path: "flock.js", old: "let i = 1", new: "let i = 0" } }],
    usage,
  },
];

/** The lines of the screen; a sentence if there is no tmux, or if the question has no diff. */
export async function approvalLines(columns) {
  if (spawnSync("tmux", ["-V"]).status !== 0) return "tmux is missing";
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-picture-"));
  const server = await startWireServer(script);
  try {
    const lines = await screenAtQuestion({ folder, columns, url: server.url });
    return hasDiff(lines) ? lines.map(withoutDurations) : "the question about an edit has no diff";
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function screenAtQuestion({ folder, columns, url }) {
  const workspace = join(folder, "flock");
  mkdirSync(workspace);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(workspace, name), content);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    SHEEPDOG_HOME: join(folder, "home"),
    TMUX_TMPDIR: folder,
    TERM: "xterm-256color",
    LC_ALL: "C.UTF-8",
    ANTHROPIC_API_KEY: "a-key",
    ANTHROPIC_BASE_URL: url,
    SHEEPDOG_SECURITY__PAUSE_BEFORE: "edit",
  };
  const tmux = (...args) =>
    execFileSync("tmux", ["-u", "-L", "picture", "-f", "/dev/null", ...args], { env, encoding: "utf8" });
  const size = ["-x", String(columns), "-y", String(ROWS)];
  tmux("new-session", "-d", ...size, "-c", workspace, `'${process.execPath}' '${command}' chat`);
  try {
    await untilShown(tmux, "idle");
    tmux("send-keys", "-l", "The test of flock.js fails. Make it pass.");
    tmux("send-keys", "Enter");
    await untilShown(tmux, "let i = 0");
    return fromPromptToEnd(tmux("capture-pane", "-e", "-p").split("\n"));
  } finally {
    tmux("kill-server");
  }
}

async function untilShown(tmux, text) {
  for (let waitedMs = 0; waitedMs < TIMEOUT_MS; waitedMs += 100) {
    if (tmux("capture-pane", "-p").includes(text)) return setTimeout(300);
    await setTimeout(100);
  }
  throw new Error(`Expected the terminal to show ${text}; it shows:\n${tmux("capture-pane", "-p")}`);
}

/** Whether the old and the new line of the file stand there in full, marked. */
function hasDiff(lines) {
  const text = stripVTControlCharacters(lines.join("\n"));
  return /-\s.*for \(let i = 1;/.test(text) && /\+\s.*for \(let i = 0;/.test(text);
}

/** Without the lines above the prompt, which have a random id, and without empty lines at the end. */
function fromPromptToEnd(lines) {
  const start = lines.findIndex((line) => line.includes("❯"));
  return lines.slice(start, lines.findLastIndex((line) => line.trim() !== "") + 1);
}
