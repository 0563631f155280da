/** The usage errors of commander, and the sentences that replace them. */
const sentences: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^unknown option '([^']*)'/, "there is no option $1"],
  [/^unknown command '([^']*)'$/, "there is no command $1; see all commands with: sheepdog --help"],
  [/^unknown command '([^']*)'/, "there is no command $1"],
  [
    /^option '(\S+, )?(--[\w-]+)[^']*' argument '([^']*)' is invalid\. Allowed choices are (.*)\.$/,
    '$2 is "$3"; choose $4',
  ],
  [
    /^command-argument value '([^']*)' is invalid for argument '([^']*)'\. Allowed choices are (.*)\.$/,
    '$2 is "$1"; choose $3',
  ],
  [/^option '(\S+, )?(--[\w-]+) ([^']*)' argument missing$/, "$2 needs a value: $2 $3"],
  [
    /^option '(\S+, )?(--[\w-]+)[^']*' cannot be used with option '(\S+, )?(--[\w-]+)[^']*'$/,
    "$2 and $4 exclude each other",
  ],
  [/^missing required argument '([^']*)'$/, "the argument <$1> is missing; --help shows how to use the command"],
  [
    /^too many arguments for '([^']*)'\. Expected (\d+) arguments? but got (\d+)\.$/,
    "too many arguments: $1 takes $2 and got $3",
  ],
];

/** A usage error in the words of this program. */
export function usageSentence(text: string): string {
  const [pattern, sentence] = sentences.find(([each]) => each.test(text)) ?? [];
  if (pattern === undefined || sentence === undefined) return text;
  return text.replace(pattern, sentence).replace(/ \(Did you mean (.*)\?\)$/, ". Did you mean $1?");
}
