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

/** The exit codes with the state and the reasons of a run. */
export function reasonsTable() {
  const rows = new Map();
  for (const [reason, { exitCode, state }] of Object.entries(outcomes)) {
    const key = `${exitCode} ${state}`;
    rows.set(key, [...(rows.get(key) ?? []), `\`${reason}\``]);
  }
  const lines = [...rows].map(([key, reasons]) => [...key.split(" "), reasons.join(", ")]);
  return table(
    ["exit code", "state", "reasons"],
    lines.sort(([a], [b]) => Number(a) - Number(b)),
  );
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
