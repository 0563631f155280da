// biome-ignore-start lint/suspicious/noControlCharactersInRegex: this file removes control characters
const terminalSequences = new RegExp(
  [
    // OSC, DCS, APC, PM and SOS strings, up to their terminator or the end of the line
    /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/,
    // CSI sequences
    /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/,
    // other escape sequences
    /\u001b[ -/]*[0-~]?/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);
/** The same at the end of a text, without their last character. */
const unfinished = new RegExp(
  [
    /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*\u001b?$/,
    /(?:\u001b\[|\u009b)[0-?]*[ -/]*$/,
    /\u001b[ -/]*$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/**
 * Removes terminal sequences and control characters other than tab and line ends, and replaces lone surrogates: nothing
 * in the text can act on a terminal.
 */
export function plainText(text: string): string {
  return text.replace(terminalSequences, "").replace(controlCharacters, "").toWellFormed();
}

/** The index at which a terminal sequence begins whose end has not arrived; otherwise the length of the text. */
export function unfinishedSequence(text: string): number {
  const start = text.search(unfinished);
  return start < 0 ? text.length : start;
}
