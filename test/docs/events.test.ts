import ts from "typescript";
import { expect, test } from "vitest";
import { severities } from "../../packages/agent/src/events/severity.ts";
import { codeSpans, readRepositoryFile, tableRows } from "./page.ts";

/** The fields of every event, as the type declares them; an optional one ends with a question mark. */
function declaredFields(): Readonly<Record<string, readonly string[]>> {
  const source = readRepositoryFile("packages/agent/src/protocol/events.ts");
  const file = ts.createSourceFile("events.ts", source, ts.ScriptTarget.Latest, true);
  const declaration = file.statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === "AgentEventBody",
  );
  if (declaration === undefined || !ts.isTypeAliasDeclaration(declaration) || !ts.isUnionTypeNode(declaration.type))
    throw new Error("Expected AgentEventBody to be a union.");
  return Object.fromEntries(
    declaration.type.types.map((event) => {
      const [type, ...fields] = membersOf(event).filter(ts.isPropertySignature);
      const name = type?.type?.getText().replaceAll('"', "") ?? "";
      return [name, fields.map((field) => field.name.getText() + (field.questionToken === undefined ? "" : "?"))];
    }),
  );
}

/** The members of an event: a type literal, or one together with an interface about goals. */
function membersOf(type: ts.TypeNode): readonly ts.TypeElement[] {
  if (ts.isTypeLiteralNode(type)) return [...type.members];
  if (ts.isParenthesizedTypeNode(type)) return membersOf(type.type);
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap(membersOf);
  const source = readRepositoryFile("packages/agent/src/protocol/goal.ts");
  const declaration = ts
    .createSourceFile("goal.ts", source, ts.ScriptTarget.Latest, true)
    .statements.find((statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === type.getText());
  if (declaration === undefined || !ts.isInterfaceDeclaration(declaration))
    throw new Error(`Expected an interface ${type.getText()} in goal.ts.`);
  return [...declaration.members];
}

test("docs/events.md lists every event with its severity and its fields", () => {
  const rows = tableRows(readRepositoryFile("docs/events.md"));
  const listed = rows.map(([name = "", severity, fields = ""]) => [codeSpans(name)[0], severity, codeSpans(fields)]);
  const declared = Object.entries(declaredFields()).map(([name, fields]) => [
    name,
    severities[name as keyof typeof severities], // the type has the same events as the table of severities
    fields,
  ]);
  expect(listed.toSorted()).toEqual(declared.toSorted());
});
