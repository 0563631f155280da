/** The folder of this package, from `src` as from `dist`. */
export const packageRoot: URL = new URL("../", import.meta.url);
