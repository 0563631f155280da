// Generates the JSON schema of the configuration and the tables of its keys from `sheepdog config schema`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { table } from "./markdown.mjs";
import { isChecking, read } from "./part.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = "packages/sheepdog/config.schema.json";
const schema = JSON.parse(
  execFileSync(process.execPath, ["packages/sheepdog/bin/sheepdog.js", "config", "schema"], {
    cwd: root,
    encoding: "utf8",
  }),
);

/** Updates the schema in the package; returns the name of the file if it was stale. */
export function renewSchema() {
  if (isDeepStrictEqual(JSON.parse(read(file)), schema)) return undefined;
  if (isChecking) return file;
  writeFileSync(`${root}${file}`, `${JSON.stringify(schema, null, 2)}\n`);
  execFileSync(process.execPath, ["node_modules/@biomejs/biome/bin/biome", "format", "--write", file], {
    cwd: root,
    stdio: "ignore",
  });
  return file;
}

/** One table per section. */
export function keysTables() {
  const keys = keysIn(schema);
  return [...new Set(keys.map(({ section }) => section))]
    .map((section) => {
      const rows = keys.filter((key) => key.section === section).map(row);
      return `### ${section}\n\n${table(["key", "default", "meaning", "in an untrusted project file"], rows)}`;
    })
    .join("\n\n");
}

/** The default of a key such as `agent.max_turns`. */
export function defaultOf(key) {
  const { value } = keysIn(schema).find(({ section, name }) => `${section.slice(2, -2)}.${name}` === key) ?? {};
  if (value === undefined) throw new Error(`Expected ${key} to be a key of the configuration with a default`);
  return value;
}

/** The accepted words of a key, if they are a fixed set. */
function choicesOf(inner) {
  const words = (inner.enum ?? []).filter((word) => typeof word === "string");
  return words.length === 0 ? "" : ` One of ${words.map((word) => `\`${word}\``).join(", ")}.`;
}

function row({ name, value, choices, description }) {
  const [meaning, reach] = description.split(" In an untrusted project file: ");
  if (reach === undefined)
    throw new Error(
      `Expected the description of ${name} to say what an untrusted project file may do, got: ${description}`,
    );
  return [
    `\`${name}\``,
    value === undefined ? "–" : `\`${JSON.stringify(value)}\``,
    meaning + choices,
    reach.replace(/\.$/, ""),
  ];
}

/** Collects the keys: a schema with a description is a key, any other is a section. */
function keysIn({ properties }, path = []) {
  return Object.entries(properties).flatMap(([name, inner]) => {
    if (inner.description === undefined) return keysIn(inner, [...path, name]);
    const section = path.length === 0 ? "At the top" : `\`[${path.join(".")}]\``;
    return [{ section, name, value: inner.default, choices: choicesOf(inner), description: inner.description }];
  });
}
