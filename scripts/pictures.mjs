// Creates docs/pictures: drives the built program in tmux at several sizes, against a local model server, and converts
// the screens to SVG. The pictures follow the light or dark theme of the reader. Needs tmux and `npm run build`.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startWireServer } from "../packages/agent/dist/testing/index.js";
import { backgrounds, palettes } from "./picture/palette.mjs";
import { terminalSvg } from "./terminal-svg.mjs";

const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const bin = fileURLToPath(new URL("../packages/sheepdog/bin/sheepdog.js", import.meta.url));
const sizes = [
  [80, 24],
  [120, 40],
  [40, 15],
];

const source = "export function greet(name) {\n  // say hello\n  return 'Hello ' + name;\n}\n\nexport default greet;\n";
const look = { text: "I look at the file first.", calls: [{ tool: "read", input: { path: "greet.js" } }] };
const edit = {
  text: "I add a default.",
  calls: [{ tool: "edit", input: { path: "greet.js", old: "'Hello ' + name", new: "'Hello ' + (name ?? 'you')" } }],
};
const testRun = { text: "Now the tests.", calls: [{ tool: "bash", input: { command: testCommand() } }] };
const failingTest = { calls: [{ tool: "bash", input: { command: "node greet.test.js" } }] };
const answer = { text: "greet has a default now, and all tests pass." };
const prompt = "'Give greet a default name.'";
const failing =
  'import { greet } from "./greet.js";\n' +
  'if (greet() !== "Hello you") throw new Error("expected Hello you, got " + greet());\n';

/** Each scene: the script of the model, the command, and what the screen shows when the picture is taken. */
const scenes = [
  { name: "run", script: [look, edit, testRun, answer], command: `run ${prompt}`, shows: /test 3 passed/ },
  {
    name: "approval",
    script: [
      { text: "I run the test.", ...failingTest },
      { text: "Once more.", ...failingTest },
      { text: "And again.", ...failingTest },
      edit,
      answer,
    ],
    settings: { SHEEPDOG_SECURITY__PAUSE_BEFORE: "edit" },
    command: `run ${prompt}`,
    shows: /then Enter:/,
  },
  {
    name: "question",
    script: Array.from({ length: 6 }, (_, index) => ({
      text: `I run the test, attempt ${index + 1}.`,
      ...failingTest,
    })),
    command: `run ${prompt}`,
    shows: /s = stop/,
  },
  {
    name: "chat",
    script: [look, edit, answer],
    command: "chat",
    keys: ["Give greet a default name.", "Enter"],
    shows: /Done:/,
  },
  {
    name: "runs",
    script: [...Array.from({ length: 8 }, () => failingTest), look, edit, answer],
    before: ["run --quiet 'Make the test pass.' 2>/dev/null", `run --quiet ${prompt}`],
    command: "runs",
    shows: /answered/,
  },
  {
    name: "show",
    script: [look, edit, answer],
    before: [`run --quiet ${prompt}`],
    command: "show last",
    shows: /Done:/,
  },
];

mkdirSync(folder, { recursive: true });
for (const [columns, rows] of sizes)
  for (const scene of scenes) {
    const lines = await play(scene, columns, rows);
    writeFileSync(join(folder, `${scene.name}-${columns}x${rows}.svg`), pictureOf(scene.name, lines, columns));
  }

/** Plays a scene in a terminal of its own and returns the lines of the screen. */
async function play({ script, command, before = [], settings = {}, keys = [], shows }, columns, rows) {
  const home = mkdtempSync(join(tmpdir(), "sheepdog-pictures-"));
  const workspace = join(home, "greeter");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "greet.js"), source);
  writeFileSync(join(workspace, "greet.test.js"), failing);
  writeFileSync(join(workspace, "package.json"), '{ "type": "module" }\n');
  spawnSync("git", ["init", "-q", workspace]);
  const server = await startWireServer(script, { afterLast: answer });
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    TMUX_TMPDIR: home,
    SHEEPDOG_HOME: join(home, "home"),
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: server.url,
    ...settings,
  };
  const tmux = (...args) =>
    execFileSync("tmux", ["-u", "-L", "pictures", "-f", "/dev/null", ...args], { env, encoding: "utf8" });
  const program = `'${process.execPath}' '${bin}'`;
  const first = before.map((earlier) => `${program} ${earlier} >/dev/null; `).join("");
  const size = ["-x", String(columns), "-y", String(rows)];
  try {
    tmux("new-session", "-d", ...size, "-c", workspace, `${first}clear; ${program} ${command}; exec sleep 60`);
    if (keys.length > 0) {
      await until(tmux, /context/);
      tmux("send-keys", ...keys);
    }
    await until(tmux, shows);
    await pause(300); // the last lines are drawn
    return trimmed(tmux("capture-pane", "-p", "-e").replaceAll(home, "/home/you").split("\n"));
  } finally {
    tmux("kill-server");
    await server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  }
}

/** Waits until the screen shows a pattern. */
async function until(tmux, pattern) {
  for (let tries = 0; tries < 300; tries += 1) {
    if (pattern.test(tmux("capture-pane", "-p"))) return;
    await pause(100);
  }
  throw new Error(`Expected the screen to show ${pattern}; got:\n${tmux("capture-pane", "-p")}`);
}

function trimmed(lines) {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(0, last + 1);
}

function testCommand() {
  return "for i in 1 2 3 4; do echo test $i passed; sleep 1; done";
}

function pictureOf(name, lines, columns) {
  const colours = (theme) => Object.entries(palettes[theme]).map(([colour, value]) => `.${colour}{fill:${value}}`);
  const rules = (theme) => [`.back{fill:${backgrounds[theme]}}`, ...colours(theme)].join("");
  return terminalSvg({
    lines,
    columns,
    title: `sheepdog ${name}`,
    paint: (colour) => `class="${colour}"`,
    background: 'class="back"',
    head: [`<style>${rules("light")}@media (prefers-color-scheme:dark){${rules("dark")}}</style>`],
  });
}
