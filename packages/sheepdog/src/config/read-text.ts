import { parse } from "smol-toml";
import type { Shape } from "./shape.ts";

/** What a text from the environment or the command line means where this is expected; the text itself where it means nothing of the kind. */
export function readText(shape: Shape, text: string): unknown {
  const trimmed = text.trim();
  switch (shape.kind) {
    case "value":
      if (shape.type === "number")
        return /^[+-]?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed.replaceAll("_", "")) : text;
      if (shape.type === "boolean") return trimmed === "true" || (trimmed === "false" ? false : text);
      return text;
    case "either":
      return trimmed === shape.word ? trimmed : readText(shape.or, text);
    case "list":
      if (trimmed.startsWith("[")) return structure(trimmed);
      return trimmed === "" ? [] : trimmed.split(",").map((item) => readText(shape.each, item.trim()));
    default:
      return structure(trimmed);
  }
}

/** A list or a table as JSON or TOML has it. */
function structure(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return tomlValue(text);
  }
}

function tomlValue(text: string): unknown {
  try {
    return parse(`value = ${text}`)["value"];
  } catch {
    return text;
  }
}
