import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";

/** A file as an answer; without a body if the browser has the current one. */
export type PageAnswer =
  | { readonly status: 304; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly status: 200 | 404 | 503;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array<ArrayBuffer> | string;
    };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Names of letters, digits, `_`, `-` and dots, none of which begins with a dot: nothing leads out of the folder. */
const safePath = /^(?:\/[\w-][\w.-]*)+$/;

/** There is no such file, a part of the path is no folder, or a name is longer than the file system allows. */
const missingCodes: readonly unknown[] = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"];

/** Answers from the folder of the built pages. A path without an extension is a page of the application. */
export async function pageAnswer(folder: string, path: string, knownTag: string | undefined): Promise<PageAnswer> {
  const decoded = decode(path);
  if (decoded === undefined || (decoded !== "/" && !safePath.test(decoded.replace(/\/$/, "")))) return notFound;
  const isPage = extname(decoded) === "" || decoded === "/index.html";
  const file = await fileAnswer(join(folder, isPage ? "index.html" : decoded), knownTag);
  if (file === undefined) return isPage ? notBuilt : notFound;
  const isHashed = decoded.startsWith("/assets/");
  const caching = isHashed ? "public, max-age=31536000, immutable" : "no-cache";
  return { ...file, headers: { ...file.headers, "Cache-Control": caching } };
}

async function fileAnswer(path: string, knownTag: string | undefined): Promise<PageAnswer | undefined> {
  const type = types[extname(path)];
  if (type === undefined) return undefined;
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return undefined;
    const headers = { "Content-Type": type, ETag: `"${stats.size.toString(36)}-${stats.mtimeMs.toString(36)}"` };
    if (knownTag === headers.ETag) return { status: 304, headers };
    return { status: 200, headers, body: await readFile(path) };
  } catch (error) {
    if (error instanceof Error && "code" in error && missingCodes.includes(error.code)) return undefined;
    throw error;
  }
}

/** Decoded once; undefined if that is not possible. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const notFound: PageAnswer = {
  status: 404,
  headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  body: "There is no such file.\n",
};

const notBuilt: PageAnswer = {
  status: 503,
  headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sheepdog</title></head><body>
<h1>The pages are not built</h1><p>Build them in the folder of the source with <code>npm run build</code>, and load this
page again. The API of this server works without them.</p></body></html>
`,
};
