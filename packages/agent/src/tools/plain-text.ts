// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
/** OSC, DCS, APC, PM and SOS strings up to their end or the end of the line; CSI sequences; other two-character escapes. */
const sequences =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
/** Every sequence begins with one of them. */
const acting = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** Text without terminal sequences and control characters (tab and line ends stay), well formed: nothing in it can act on a screen. */
export function plainText(text: string): string {
  return (acting.test(text) ? text.replace(sequences, "").replace(controls, "") : text).toWellFormed(); // a lone surrogate becomes U+FFFD
}
