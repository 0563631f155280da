import { anyWord } from "../risk/word-list.ts";
import { isFreeVariable } from "./free-variables.ts";

const plainPrinters = anyWord("date pwd whoami id uname hostname nproc wc which seq");
const gitPrinters = anyWord("rev-parse describe");
const versionPrinters = anyWord("node npm python python3 cargo");

/** Command substitutions whose output has no wildcard, or no slash. */
const printsNoPattern: readonly RegExp[] = [
  new RegExp(String.raw`^\$\((?:${plainPrinters}|git ${gitPrinters}|command -v)(?: [\w ./+%:=@^~<>,"'-]*)?\)$`),
  new RegExp(String.raw`^\$\(${versionPrinters} (?:-v|-V|--version)\)$`),
  /^\$\(basename [\w ./"'$-]+\)$/,
];

/**
 * Whether an unquoted word with an expansion, as it is written, never becomes a file pattern that finds files outside:
 * a variable that no command line may set, or what some programs print.
 */
export function staysPlainUnquoted(text: string): boolean {
  const [, name] = /^\$\{?(\w+)\}?$/.exec(text) ?? [];
  return name === undefined ? printsNoPattern.some((shape) => shape.test(text)) : !isFreeVariable(name);
}
