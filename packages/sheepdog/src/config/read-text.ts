import { parse } from "smol-toml";
import type { Shape } from "./config-shape.ts";

/**
 * Reads a text from the environment or the command line as a value of this shape. Returns the text itself if it does
 * not fit.
 */
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
      if (trimmed.startsWith("[")) return parseStructure(trimmed);
      return trimmed === "" ? [] : trimmed.split(",").map((item) => readText(shape.each, item.trim()));
    default:
      return parseStructure(trimmed);
  }
}

/** Parses a list or a table in JSON or TOML. */
function parseStructure(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseTomlValue(text);
  }
}

function parseTomlValue(text: string): unknown {
  try {
    return parse(`value = ${text}`)["value"];
  } catch {
    return text;
  }
}
