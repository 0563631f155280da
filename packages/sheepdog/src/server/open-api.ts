import { problemSchema, type Route, routes } from "@sheepdog/web/contract";
import { z } from "zod";

/** The description of the HTTP API, in OpenAPI 3.1. */
export function openApiDocument(version: string): object {
  const known: readonly (readonly [string, Route])[] = Object.entries(routes);
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of known) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Sheepdog",
      version,
      description:
        "Runs, costs and findings of one home, and commands to its runs. Amounts are in dollars, times in " +
        "milliseconds since 1970.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:4114" }],
    security: [{ token: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "The token that `sheepdog serve` prints." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "sheepdog_4114",
          description: "Set by /api/login. The name has the port of the server.",
        },
      },
      schemas: { Problem: schemaOf(problemSchema, "output") },
    },
  };
}

function operation(name: string, { path, summary, query, body, response, method }: Route): object {
  const parameters = [...pathParameters(path), ...(query === undefined ? [] : queryParameters(query))];
  return {
    operationId: name,
    summary,
    ...(name === "login" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(schemaOf(body, "input")) } }),
    responses: {
      200: {
        description: summary,
        content: response === undefined ? stream : json(schemaOf(response, "output")),
      },
      ...problem(400, "A part of the request is not valid"),
      ...(name === "login" ? problem(401, "The token is not valid") : problem(401, "There is no token")),
      ...problem(403, "The request comes from another site"),
      ...(path.includes("{") ? problem(404, "It is unknown") : {}),
      ...(method === "POST" ? { ...problem(413, "The body is too large"), ...problem(415, "It is not JSON") } : {}),
      ...(response === undefined ? problem(503, "Too many pages follow the stream") : {}),
    },
  };
}

const stream = {
  "text/event-stream": {
    schema: {
      type: "string",
      description:
        'Messages `{ type: "events" | "live" | "reset" }` as JSON. The id of a message is its position; ' +
        "`Last-Event-ID` continues after it.",
    },
  },
};

function pathParameters(path: string): readonly object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

/** Described by what the server makes of them: every value of a query is a text. */
function queryParameters(query: z.ZodObject): readonly object[] {
  const { properties = {} } = schemaOf(query, "output") as { readonly properties?: Readonly<Record<string, object>> };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", schema }));
}

function problem(status: number, description: string): object {
  return { [status]: { description, content: json({ $ref: "#/components/schemas/Problem" }) } };
}

function json(schema: object): object {
  return { "application/json": { schema } };
}

/** Without the marks of a document of its own. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
