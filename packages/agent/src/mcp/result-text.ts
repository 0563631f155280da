import { isRecord } from "../protocol/json.ts";
import { mcpLimits } from "./limits.ts";

/** The text of a call's result for the model. Images, sounds and other binary data become a short line. */
export function resultText(result: unknown): string {
  if (!isRecord(result)) return "[no result]";
  const { content, structuredContent } = result;
  const parts = Array.isArray(content) ? content.map(contentText) : [];
  const text = parts.join("\n").trim();
  // A server that sends structured data should also send it as text; if it does not, the data is the result.
  const structured = structuredContent === undefined || text !== "" ? "" : JSON.stringify(structuredContent);
  return (text === "" ? structured : text).slice(0, mcpLimits.resultChars);
}

/** One part of a result, of a resource or of a prompt. */
export function contentText(part: unknown): string {
  if (!isRecord(part)) return "[an unreadable part]";
  const { type, text, data, resource, uri, name } = part;
  switch (type) {
    case "text":
      return typeof text === "string" ? text : "";
    case "image":
    case "audio":
      return `[${type}, ${mimeText(part)}${sizeText(data)}: not shown]`;
    case "resource":
      return resourceText(resource);
    case "resource_link":
      return `[resource ${shown(name)}: ${shown(uri)}]`;
    default:
      return `[a part of the type ${shown(type)}: not shown]`;
  }
}

/** The content of a resource. */
export function resourceText(resource: unknown): string {
  if (!isRecord(resource)) return "[an unreadable resource]";
  const { text, blob, uri } = resource;
  if (typeof text === "string") return text.slice(0, mcpLimits.resultChars);
  return `[resource ${shown(uri)}, ${mimeText(resource)}${sizeText(blob)}: not shown]`;
}

function mimeText({ mimeType }: Readonly<Record<string, unknown>>): string {
  return typeof mimeType === "string" ? mimeType.slice(0, 80) : "binary data";
}

/** The size of base64 data. */
function sizeText(data: unknown): string {
  if (typeof data !== "string") return "";
  const bytes = Math.floor((data.length * 3) / 4);
  return bytes < 1_024 ? `, ${bytes} bytes` : `, ${Math.round(bytes / 1_024)} kB`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 500) : "without a name";
}
