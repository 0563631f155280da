import { resolve } from "node:path";
import { OutputError, write } from "../../io.ts";
import { answerSentences } from "../../look-back/answer-sentences.ts";
import { programName } from "../../program-name.ts";
import { hintLines } from "../../render/terminal/command-lines.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shellWord } from "../../render/terminal/shell-word.ts";
import { sizeText } from "../../render/terminal/size-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { lookBackPage } from "./html/look-back-page.ts";
import { writeReportFile } from "./html/report-file.ts";
import type { Report } from "./report.ts";
import { sentenceLines } from "./styled-sentence.ts";

/** Writes the look back as one HTML file, and says where it is and how to open it. */
export const htmlReport: Report = async (lookBack, { io, options, top, now }) => {
  const { html: path = "-", sort = "cost" } = options;
  const page = await lookBackPage(lookBack, { top, sort, now, program: programName(io.env) });
  if (path === "-") return write(io.stdout, page);
  const written = await writeReportFile(resolve(io.cwd, path), { page, name: path });
  if (!written.ok) throw new OutputError(new Error(written.why));
  const width = columnsOf(io.stdout, io.env);
  const [answer = []] = answerSentences(lookBack);
  const lines = [
    ...sentenceLines(answer, width, styleFor(io.stdout, io.env)),
    ...wrap(plainText(`Wrote ${path} (${sizeText(Buffer.byteLength(page))}).`), width),
    ...hintLines(`Open it: ${process.platform === "darwin" ? "open" : "xdg-open"} ${shellWord(path)}`, width),
  ];
  await write(io.stdout, `${lines.join("\n")}\n`);
};
