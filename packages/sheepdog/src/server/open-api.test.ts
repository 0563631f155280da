import { readFileSync } from "node:fs";
import { routes } from "@sheepdog/web/contract";
import { expect, test } from "vitest";
import { openApiDocument } from "./open-api.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content: object }>>;
}

const document = openApiDocument("1.2.3") as {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

test("every route is described with what it takes and answers", () => {
  expect([document.openapi, document.info.version]).toEqual(["3.1.0", "1.2.3"]);
  for (const [name, route] of Object.entries(routes)) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    expect([name, operation?.operationId]).toEqual([name, name]);
    expect([name, operation?.requestBody !== undefined]).toEqual([name, "body" in route]);
    const type = "response" in route ? "application/json" : "text/event-stream";
    expect([name, Object.keys(operation?.responses["200"]?.content ?? {})]).toEqual([name, [type]]);
  }
});

test("parameters have the names and types of the contract", () => {
  const parameters = document.paths["/api/runs/{id}/events"]?.["get"]?.parameters;
  expect(parameters).toEqual([
    { name: "id", in: "path", required: true, schema: { type: "string" } },
    { name: "after", in: "query", schema: expect.objectContaining({ type: "integer", default: 0 }) },
    { name: "limit", in: "query", schema: expect.objectContaining({ type: "integer", default: 2_000 }) },
  ]);
  const live = document.paths["/api/stream"]?.["get"]?.parameters?.find(({ name }) => name === "live");
  expect(live?.schema).toMatchObject({ default: true });
});

test("the page about the API has every route", () => {
  const page = readFileSync(new URL("../../../../docs/http-api.md", import.meta.url), "utf8");
  for (const { method, path } of Object.values(routes)) expect(page).toContain(`| \`${method} ${path}\` |`);
});
