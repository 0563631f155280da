/** The folder of this package, seen from `src` and from `dist`. */
export const packageRoot: URL = new URL("../", import.meta.url);
