import { readDottedKey, shownKey } from "../../config/dotted-key.ts";
import { loadConfigOrReport } from "../../config/load-or-complain.ts";
import { maskValue } from "../../config/mask-value.ts";
import { configShape, type Shape } from "../../config/shape.ts";
import { unknownKey, unknownName } from "../../config/unknown-key.ts";
import { valueAt } from "../../config/whole.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** Prints one value: a text as it is, everything else as JSON. One that is not set prints nothing, and ends with 1. */
export async function getCommand(key: string, options: { readonly json?: true }, io: Io): Promise<number> {
  const path = readDottedKey(key);
  const wrong =
    path === undefined ? `${JSON.stringify(key)} is no key; write one like agent.max_turns` : whyUnknown(path);
  if (path === undefined || wrong !== undefined) {
    await writeMessage(io, plainText(wrong ?? key));
    return exitCode.usage;
  }
  const loaded = await loadConfigOrReport(io);
  if (loaded === undefined) return exitCode.usage;
  const value = maskValue(valueAt(loaded.config, path), io.env);
  if (value === undefined) {
    await writeMessage(io, plainText(`${shownKey(path)} is not set`));
    return exitCode.failed;
  }
  await write(io.stdout, `${typeof value === "string" && !options.json ? plainText(value) : jsonText(value)}\n`);
  return exitCode.done;
}

/** A sentence about a path that the configuration does not have. */
function whyUnknown(path: readonly string[], shape: Shape = configShape, depth = 0): string | undefined {
  const name = path[depth];
  const here = path.slice(0, depth + 1);
  if (name === undefined) return undefined;
  switch (shape.kind) {
    case "section": {
      const inner = shape.keys.get(name);
      return inner === undefined ? unknownKey(here, shape) : whyUnknown(path, inner, depth + 1);
    }
    case "named":
      if (shape.names !== undefined && !shape.names.includes(name)) return unknownName(here, shape.names);
      return whyUnknown(path, shape.each, depth + 1);
    case "either":
      return whyUnknown(path, shape.or, depth);
    default:
      return `${shownKey(path.slice(0, depth))} has no keys`;
  }
}
