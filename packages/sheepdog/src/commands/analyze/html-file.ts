import { resolve } from "node:path";
import type { Io } from "../../io.ts";
import type { AnalyzeOptions } from "./analyze-options.ts";

const DEFAULT_NAME = "sheepdog-report.html";

/** Where the page goes, and the path that the parser of options took for its name. */
interface ChosenHtml {
  readonly html?: string;
  readonly path?: string;
}

/** Reads the value of `--html [file]`: in `analyze --html runs.jsonl`, the word after it is a recording. */
export function chosenHtml(value: string | boolean | undefined): ChosenHtml {
  if (value === undefined || value === false) return {};
  if (value === true) return { html: DEFAULT_NAME };
  return value === "-" || /\.html?$/i.test(value) ? { html: value } : { html: DEFAULT_NAME, path: value };
}

/** Why the page cannot go there, before anything is read; undefined if it can. */
export async function htmlProblem(
  { html, force }: Pick<AnalyzeOptions, "html" | "force">,
  { cwd }: Pick<Io, "cwd">,
): Promise<string | undefined> {
  if (html === undefined) return force === true ? "--force is for --html: it replaces a file" : undefined;
  if (html === "-" || force === true) return undefined;
  const { replaceProblem } = await import("./html/report-file.ts");
  return replaceProblem(resolve(cwd, html), html);
}
