import type { McpReview, PendingTool } from "@sheepdog/agent/mcp";
import { isSecretVariable } from "@sheepdog/guardian/secrets";
import { plainText } from "../../render/terminal/plain-text.ts";

const maxText = 400;
const maxTools = 40;

/** New and changed tools as lines for the user: what each does in the server's words, and what is different. */
export function reviewLines({ server, pending }: Pick<McpReview, "server" | "pending">): readonly string[] {
  const shown = pending.slice(0, maxTools).flatMap(toolLines);
  const more = pending.length > maxTools ? [`  … and ${pending.length - maxTools} more`] : [];
  return [`The MCP server "${server}" offers these tools. The descriptions are its own words:`, ...shown, ...more];
}

function toolLines({ definition, previous }: PendingTool): readonly string[] {
  const { name, description, inputSchema, annotations } = definition;
  const args = Object.keys(objectOf(inputSchema["properties"]));
  const claims = Object.entries(annotations).flatMap(([hint, isSo]) => (isSo === true ? [hint] : []));
  const secrets = args.filter(isSecretVariable);
  const marks = [
    ...(previous === undefined ? [] : ["CHANGED"]),
    ...(claims.length > 0 ? [`[${claims.join(", ")}]`] : []),
  ];
  return [
    [`  ${line(name)}(${line(args.join(", "))})`, ...marks].join("  "),
    ...(previous === undefined ? [`    ${short(description)}`] : changeLines(previous, definition)),
    ...(secrets.length > 0 ? [`    It asks for a secret: ${line(secrets.join(", "))}`] : []),
  ];
}

function changeLines(
  previous: NonNullable<PendingTool["previous"]>,
  { description, inputSchema }: PendingTool["definition"],
): readonly string[] {
  const schema = JSON.stringify(inputSchema);
  const lines = [
    ...(previous.description === description
      ? []
      : [`    - ${short(previous.description)}`, `    + ${short(description)}`]),
    ...(previous.schema === schema
      ? []
      : [`    - ${differing(previous.schema, schema)}`, `    + ${differing(schema, previous.schema)}`]),
  ];
  return lines.length === 0 ? ["    What the server claims about it has changed."] : lines;
}

/** A text from where it differs from another one. */
function differing(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  const start = Math.max(0, at - 40);
  return short(`${start > 0 ? "…" : ""}${text.slice(start)}`);
}

function short(text: string): string {
  const plain = line(text);
  return plain.length > maxText
    ? `${plain.slice(0, maxText)}… (${plain.length} characters)`
    : plain || "no description";
}

function line(text: string): string {
  return plainText(text).replaceAll(/\s+/g, " ").trim();
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
