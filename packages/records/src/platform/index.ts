export { readNamedFile } from "./named-file.ts";
export { appendLines, NotAFile, openFlags, openRegularFile, readRegularFile } from "./regular-file.ts";
