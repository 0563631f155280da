import { print } from "sh-syntax";
import { forEachChild, parse, type SyntaxNode } from "unbash";

/**
 * The names of all simple commands in a script. A name is undefined for a command that has none, such as `x=1`.
 */
export function commandNames(script: string): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command") names.push(node.name?.value);
    forEachChild(node, visit);
  };
  visit(parse(script));
  return names;
}

/**
 * The script as another parser understands it: mvdan/sh, which prints one statement a line, with substitutions in one
 * spelling and without line continuations. Rejects when that parser finds an error.
 */
export function printedBySecondParser(script: string): Promise<string> {
  return print(script);
}
