/** `*` stands for any characters, `?` for one. The glob matches the whole text. */
export function matchesGlob(glob: string, text: string, flags = ""): boolean {
  const source = escaped(glob).replaceAll(/\*+/g, "[^]*").replaceAll("?", "[^]");
  return new RegExp(`^${source}$`, flags).test(text);
}

/** The same for a path: `*` and `?` stay within one folder, and a component `**` stands for any folders. */
export function matchesPathGlob(glob: string, path: string): boolean {
  const components = glob.split("/").map((component) => {
    if (component === "**") return "**";
    return escaped(component).replaceAll(/\*+/g, "[^/]*").replaceAll("?", "[^/]");
  });
  const source = components
    .map((component, at) => {
      const isLast = at === components.length - 1;
      if (component === "**") return isLast ? "[^]*" : "(?:[^/]+/)*";
      return isLast ? component : `${component}/`;
    })
    .join("");
  return new RegExp(`^${source}$`).test(path);
}

function escaped(glob: string): string {
  return glob.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
}
