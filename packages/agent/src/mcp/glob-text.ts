/** Whether a text matches a glob: `*` for any characters, `?` for one. Takes linear time for each `*`. */
export function globText(glob: string, text: string): boolean {
  const [first = "", ...rest] = glob.split("*");
  if (!startsWith(text, first)) return false;
  if (rest.length === 0) return text.length === first.length;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    if (index === rest.length - 1) {
      const start = text.length - part.length;
      return start >= at && startsWith(text.slice(start), part);
    }
    while (at <= text.length - part.length && !startsWith(text.slice(at), part)) at += 1;
    if (at > text.length - part.length) return false;
    at += part.length;
  }
  return true;
}

function startsWith(text: string, part: string): boolean {
  return part.length <= text.length && [...part].every((character, at) => character === "?" || character === text[at]);
}
