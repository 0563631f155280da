import type { McpReview, PendingTool } from "@sheepdog/agent/mcp";
import { isSecretVariable } from "@sheepdog/guardian/secrets";
import { reviewText, schemaLines } from "./schema-lines.ts";

/**
 * New and changed tools as lines for the user: all that the model would read about each, in the server's words, and
 * what is different. Nothing is cut: what is approved was shown.
 */
export function reviewLines({ server, pending }: Pick<McpReview, "server" | "pending">): readonly string[] {
  return [
    `The MCP server "${server}" offers these tools. The descriptions are its own words:`,
    ...pending.flatMap(toolLines),
  ];
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
  const texts = textLines(description, inputSchema, args);
  return [
    [`  ${line(name)}(${line(args.join(", "))})`, ...marks].join("  "),
    ...(previous === undefined ? texts.map((text) => `    ${text}`) : changeLines(previous, definition)),
    ...(secrets.length > 0 ? [`    It asks for a secret: ${line(secrets.join(", "))}`] : []),
  ];
}

/** The description, and the texts of the schema without bare names that the first line has. */
function textLines(description: string, schema: unknown, args: readonly string[] = []): readonly string[] {
  const described = reviewText(description);
  const texts = schemaLines(schema).filter((text) => !args.includes(text));
  return [...(described.length === 0 ? ["no description"] : described), ...texts.flatMap(reviewText)];
}

function changeLines(
  previous: NonNullable<PendingTool["previous"]>,
  { description, inputSchema }: PendingTool["definition"],
): readonly string[] {
  const [before, after] = [
    textLines(previous.description, parseJson(previous.schema)),
    textLines(description, inputSchema),
  ];
  const lines = [
    ...before.filter((text) => !after.includes(text)).map((text) => `    - ${text}`),
    ...after.filter((text) => !before.includes(text)).map((text) => `    + ${text}`),
  ];
  if (lines.length > 0) return lines;
  const schema = JSON.stringify(inputSchema);
  if (previous.schema === schema) return ["    What the server claims about it has changed."];
  return [
    ...reviewText(previous.schema).map((text) => `    - ${text}`),
    ...reviewText(schema).map((text) => `    + ${text}`),
  ];
}

function line(text: string): string {
  return reviewText(text).join(" ").replaceAll(/\s+/g, " ").trim();
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {}; // the file of the approvals was edited
  }
}
