import { expect, test } from "vitest";
import { modelSchema } from "./model-text.ts";
import { validSchema } from "./valid-schema.ts";

test("keywords with values that JSON Schema does not allow are left out, at every level", () => {
  expect(
    validSchema({
      type: ["string", "any"],
      required: "name",
      properties: {
        name: { type: "string", pattern: "(a+)+$((", minLength: -1, required: true, description: 7, title: "Name" },
        port: { type: "integer", minimum: 1, exclusiveMinimum: true, enum: [] },
        none: null,
        any: true,
        constructor: { type: "any", default: { type: 5 } },
      },
      anyOf: ["x", { items: { type: "text" } }],
      oneOf: [],
      additionalProperties: "no",
      nullable: true,
    }),
  ).toEqual({
    properties: {
      name: { type: "string", title: "Name" },
      port: { type: "integer", minimum: 1 },
      none: {},
      any: true,
      constructor: { default: { type: 5 } },
    },
    anyOf: [{ items: {} }],
    nullable: true,
  });
});

test("a list of types for the items of an array has its present name", () => {
  const pair = [{ type: "string" }, { type: "number" }];
  expect(validSchema({ type: "array", items: pair })).toEqual({ type: "array", prefixItems: pair });
});

test("a valid schema stays as it is", () => {
  const schema = {
    type: "object",
    properties: {
      a: { $ref: "#/$defs/a" },
      b: { enum: ["x", null], const: { type: 1 } },
      c: { type: ["null", "array"] },
    },
    required: ["a"],
    additionalProperties: false,
    $defs: { a: { type: "string", pattern: "^[\\w\\-]+$", maxLength: 5 } },
  };
  expect(validSchema(schema)).toEqual(schema);
});

test("alternatives at the top, which providers refuse, become arguments", () => {
  expect(
    modelSchema({
      properties: { kind: { type: "string" } },
      required: ["kind"],
      oneOf: [
        { properties: { text: { type: "string" }, kind: { type: "number" } }, required: ["text"] },
        { properties: { url: { type: "string" }, "a b": {} } },
      ],
      not: { required: ["kind"] },
    }),
  ).toEqual({
    type: "object",
    properties: { kind: { type: "string" }, text: { type: "string" }, url: { type: "string" } },
    required: ["kind"],
  });
});
