// Generates the table of the HTTP API from `sheepdog serve --openapi`.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { table } from "./markdown.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Every route with what it takes. */
export function routesTable() {
  const { paths } = JSON.parse(
    execFileSync(process.execPath, ["packages/sheepdog/bin/sheepdog.js", "serve", "--openapi"], {
      cwd: root,
      encoding: "utf8",
    }),
  );
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [
      `\`${method.toUpperCase()} ${path}\``,
      operation.summary,
      queryOf(operation),
      bodyOf(operation),
    ]),
  );
  return table(["route", "what it does", "query", "body"], rows);
}

function queryOf({ parameters = [] }) {
  const names = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => `\`${name}\``);
  return names.length === 0 ? "–" : names.join(", ");
}

function bodyOf({ requestBody }) {
  const schema = requestBody?.content["application/json"].schema;
  if (schema === undefined) return "–";
  const variants = schema.oneOf ?? schema.anyOf ?? [schema];
  const texts = variants.map(fieldsOf).filter((text) => text !== "");
  return texts.length === 0 ? "`{}`" : texts.join("; ");
}

/** The fields of a body; those that may be missing have a question mark. */
function fieldsOf({ properties = {}, required = [] }) {
  return Object.entries(properties)
    .map(([name, { const: value }]) => {
      if (value !== undefined) return `\`${name}\`: \`${value}\``;
      return `\`${name}${required.includes(name) ? "" : "?"}\``;
    })
    .join(", ");
}
