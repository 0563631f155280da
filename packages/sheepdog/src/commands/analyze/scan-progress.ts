import type { Io } from "../../io.ts";
import type { ScanEvent, ScanProgress } from "../../look-back/scan/scan-event.ts";
import { percent } from "../../render/terminal/percent.ts";
import { sizeText } from "../../render/terminal/size-text.ts";
import { columnsOf } from "../../render/terminal/style.ts";
import { cut } from "../../render/terminal/width.ts";

const QUIET_MS = 500;
const STEP_MS = 100;
const CLEAR_LINE = "\r\u001b[K";

/** Says on one line of a terminal how far a scan is, if it takes longer than half a second. */
export function scanProgress(io: Pick<Io, "stderr" | "env">): {
  onEvent(event: ScanEvent): void;
  end(): void;
} {
  const startedAt = performance.now();
  let shownAt = startedAt + QUIET_MS - STEP_MS;
  let isShown = false;
  return {
    onEvent(event) {
      if (event.type !== "progress" || io.stderr.isTTY !== true) return;
      const now = performance.now();
      if (now - shownAt < STEP_MS) return;
      shownAt = now;
      isShown = true;
      io.stderr.write(CLEAR_LINE + cut(progressText(event.progress), columnsOf(io.stderr, io.env) - 1));
    },
    end() {
      if (isShown) io.stderr.write(CLEAR_LINE);
    },
  };
}

function progressText({ files, totalFiles, bytes, totalBytes, bytesPerSecond }: ScanProgress): string {
  const speed = bytesPerSecond > 0 ? `, ${sizeText(bytesPerSecond)}/s` : "";
  const done = `${files.toLocaleString("en-US")} of ${totalFiles.toLocaleString("en-US")} files`;
  return `Reading recordings: ${percent(bytes, totalBytes)}, ${done}${speed}`;
}
