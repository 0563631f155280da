// Generates the help of every command and the table of exit codes.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { outcomes } from "@sheepdog/agent";
import { table } from "./markdown.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The help of every command, in the order the program lists them. */
export function commandsHelp() {
  const top = help();
  const names = [...top.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name).filter((name) => name !== "help");
  return [fenced(top), ...names.map((name) => `### ${name}\n\n${fenced(help(name))}`)].join("\n\n");
}

/** Every exit code with its meaning, as the help has it, and with the state and the reasons of a run. */
export function exitCodesTable() {
  const rows = meanings().flatMap(([code, meaning]) => {
    const states = statesOf(Number(code));
    if (states.length === 0) return [[code, meaning, "–", "–"]];
    return states.map(({ state, reasons }) => [code, meaning, state, reasons.map((name) => `\`${name}\``).join(", ")]);
  });
  return table(["exit code", "meaning", "state of the run", "reasons"], rows);
}

/** The codes and meanings at the end of the help; a second code in a line gets a row of its own. */
function meanings() {
  const [, lines = ""] = help("run").split("Exit codes:\n");
  return lines.split("\n").flatMap((line) => {
    const [, code, text = ""] = /^ {2}(\d+) +(.+)$/.exec(line) ?? [];
    const [meaning, otherCode, otherMeaning] = text.split(/; (\d+): /);
    return otherCode === undefined
      ? [[code, meaning]]
      : [
          [code, meaning],
          [otherCode, otherMeaning],
        ];
  });
}

/** The states that a run with this exit code can have, with their reasons. */
function statesOf(code) {
  const reasonsByState = new Map();
  for (const [reason, { exitCode, state }] of Object.entries(outcomes))
    if (exitCode === code) reasonsByState.set(state, [...(reasonsByState.get(state) ?? []), reason]);
  return [...reasonsByState].map(([state, reasons]) => ({ state, reasons }));
}

function help(...command) {
  const env = { ...process.env, NO_COLOR: "1", COLUMNS: "80" };
  return execFileSync(process.execPath, ["packages/sheepdog/bin/sheepdog.js", ...command, "--help"], {
    cwd: root,
    encoding: "utf8",
    env,
  }).trimEnd();
}

function fenced(text) {
  return `\`\`\`text\n${text}\n\`\`\``;
}
