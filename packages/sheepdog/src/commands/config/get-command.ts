import { configShape, type Shape } from "../../config/config-shape.ts";
import { readDottedKey, shownKey } from "../../config/dotted-key.ts";
import { loadConfigOrReport } from "../../config/load-config-or-report.ts";
import { valueAt } from "../../config/merged-settings.ts";
import { redactValue } from "../../config/redact-value.ts";
import { unknownKey, unknownName } from "../../config/unknown-key.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** Prints one value: text as it is, everything else as JSON. Exits with 1 if the key is not set. */
export async function getCommand(key: string, options: { readonly json?: true }, io: Io): Promise<number> {
  const path = readDottedKey(key);
  const problem =
    path === undefined ? `${JSON.stringify(key)} is not a key; write one such as agent.max_turns` : findProblem(path);
  if (path === undefined || problem !== undefined) {
    await writeMessage(io, plainText(problem ?? key));
    return exitCode.usage;
  }
  const loaded = await loadConfigOrReport(io);
  if (loaded === undefined) return exitCode.usage;
  const value = redactValue(valueAt(loaded.config, path), io.env, path);
  if (value === undefined) {
    await writeMessage(io, plainText(`${shownKey(path)} is not set`));
    return exitCode.failed;
  }
  await write(io.stdout, `${typeof value === "string" && !options.json ? plainText(value) : jsonText(value)}\n`);
  return exitCode.done;
}

/** A sentence about a path that the configuration does not have. */
function findProblem(path: readonly string[], shape: Shape = configShape, depth = 0): string | undefined {
  const name = path[depth];
  const prefix = path.slice(0, depth + 1);
  if (name === undefined) return undefined;
  switch (shape.kind) {
    case "section": {
      const inner = shape.keys.get(name);
      return inner === undefined ? unknownKey(prefix, shape, configShape) : findProblem(path, inner, depth + 1);
    }
    case "named":
      if (shape.names !== undefined && !shape.names.includes(name)) return unknownName(prefix, shape.names);
      return findProblem(path, shape.each, depth + 1);
    case "either":
      return findProblem(path, shape.or, depth);
    default:
      return `${shownKey(path.slice(0, depth))} has no keys`;
  }
}
