import type { FoundArg } from "../command/shell-arg.ts";

/** A piece of the expression of find: a test with its value, an action, an operator or a bracket. */
export interface Term {
  readonly word: string;
  /** The value of a test, which is never an operator, whatever it looks like. */
  readonly value?: string;
  /** The value is not quoted, so the shell may put the name of a file in its place. */
  readonly isFilePattern?: boolean;
}

/** What the tests of a search say about the files that its action is done with. */
export function restrictionsOf(
  terms: readonly Term[],
  startsHere: boolean,
): Pick<FoundArg, "hasOnlyFiles" | "names" | "excludes"> {
  const tests = testsBeforeAction(terms);
  const canPrune = !terms.some(({ word }) => /^-(?:depth|d|delete|mindepth)$/.test(word));
  return {
    hasOnlyFiles: hasOnlyFiles(tests),
    ...namesIn(tests),
    excludes: [...excludedPaths(tests, startsHere), ...(canPrune ? prunedFolder(tests, startsHere) : [])],
  };
}

const isAction = ({ word }: Term): boolean => /^-(?:exec|delete|print|print0|printf|ls|quit)$/.test(word);
const isOr = ({ word }: Term): boolean => /^(?:-o|-or|,)$/.test(word);
const isNot = (term: Term | undefined): boolean => term?.word === "!" || term?.word === "-not";

/** Only tests in front of an action restrict what it is done with; a second action has tests of its own. */
function testsBeforeAction(terms: readonly Term[]): readonly Term[] {
  const action = terms.findIndex(isAction);
  if (action < 0) return terms;
  const hasMore = terms.slice(action + 1).some((term) => isAction(term) || isOr(term));
  return hasMore ? [] : terms.slice(0, action);
}

/** The terms outside of brackets; undefined when there is an "or" among them. */
function outerTerms(terms: readonly Term[]): readonly Term[] | undefined {
  let depth = 0;
  const outer = terms.filter(({ word }) => {
    if (word === "(") depth += 1;
    if (word === ")") depth -= 1;
    return depth === 0 && word !== ")";
  });
  return outer.some(isOr) ? undefined : outer;
}

function hasOnlyFiles(terms: readonly Term[]): boolean {
  const outer = outerTerms(terms) ?? [];
  return outer.some(({ word, value }, at) => word === "-type" && value === "f" && !isNot(outer[at - 1]));
}

/** The patterns of the names: of `-name x`, or of `( -name x -o -name y )`. */
function namesIn(terms: readonly Term[]): Pick<FoundArg, "names"> {
  const outer = outerTerms(terms);
  if (outer === undefined) return {};
  const single = outer.find(({ word }, at) => word === "-name" && !isNot(outer[at - 1]));
  if (single !== undefined) return { names: [toPattern(single)] };
  const start = terms.findIndex(({ word }) => word === "(");
  const end = terms.findIndex(({ word }) => word === ")");
  const group = start < 0 || end < start || isNot(terms[start - 1]) ? [] : terms.slice(start + 1, end);
  const isList = group.every(({ word }, at) => (at % 2 === 0 ? word === "-name" : /^-(?:o|or)$/.test(word)));
  return isList && group.length % 2 === 1 ? { names: group.filter((_, at) => at % 2 === 0).map(toPattern) } : {};
}

/** A bracket counts as any characters: its end is not always the next one. */
const toPattern = ({ value = "" }: Term): string => value.replace(/\[.*/s, "*");

/** Folders below which nothing is found: `-not -path '*\/x/*'`, and `-not -path './x/*'` for a search from here. */
function excludedPaths(terms: readonly Term[], startsHere: boolean): readonly string[] {
  if (outerTerms(terms) === undefined || terms.some(({ word }) => word === "(")) return [];
  return terms.flatMap((term, at) =>
    term.word === "-path" && isNot(terms[at - 1]) ? folderIn(term, /^(\.|\*)\/([\w.@-]+)\/\*$/, startsHere) : [],
  );
}

/** The folder that a search does not enter: `-path ./x -prune -o` or `-name x -prune -o` in front of all else. */
function prunedFolder([first, second, third]: readonly Term[], startsHere: boolean): readonly string[] {
  if (first === undefined || second?.word !== "-prune" || !/^-(?:o|or)$/.test(third?.word ?? "")) return [];
  if (first.word === "-name") return folderIn(first, /^()([\w.@-]+)$/, startsHere);
  return first.word === "-path" ? folderIn(first, /^(\.|\*)\/([\w.@-]+)$/, startsHere) : [];
}

function folderIn({ value = "", isFilePattern }: Term, shape: RegExp, startsHere: boolean): readonly string[] {
  const [, start, name] = shape.exec(value) ?? [];
  if (name === undefined || isFilePattern === true) return [];
  if (start !== ".") return [name];
  return startsHere ? [`/${name}`] : [];
}
