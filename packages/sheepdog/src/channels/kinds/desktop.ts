import { spawn } from "node:child_process";
import type { ChannelKind, SendResult } from "../channel-kind.ts";
import { isWaiting } from "../notice.ts";
import { noticeText, plainMessage } from "../notice-text.ts";

/** A notification of the desktop: `notify-send` on Linux, `osascript` on macOS. */
export const desktop: ChannelKind = {
  spacingMs: 500,
  async send(_settings, { notice }, signal) {
    const { title, lines } = noticeText(notice);
    const text = plainMessage({ title: "", lines: lines.slice(0, 3) }).trim();
    return runProgram(notificationCommand(process.platform, { title, text, isUrgent: isWaiting(notice) }), signal);
  },
};

interface Notification {
  readonly title: string;
  readonly text: string;
  readonly isUrgent: boolean;
}

/** The program and its arguments. No shell reads them, and the script of macOS gets the texts as arguments. */
export function notificationCommand(
  platform: NodeJS.Platform,
  { title, text, isUrgent }: Notification,
): readonly [program: string, ...args: string[]] {
  if (platform === "darwin") {
    const script = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"];
    return ["osascript", ...script.flatMap((line) => ["-e", line]), title, text];
  }
  // The server may read markup in the text.
  const plain = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return ["notify-send", "--app-name=sheepdog", `--urgency=${isUrgent ? "critical" : "normal"}`, "--", title, plain];
}

const timeoutMs = 10_000;

function runProgram([program, ...args]: readonly [string, ...string[]], signal: AbortSignal): Promise<SendResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore", signal, timeout: timeoutMs });
    child.on("error", () => resolve({ type: "refused", problem: `${program} could not be started. Is it installed?` }));
    child.on("close", (code) =>
      resolve(
        code === 0
          ? { type: "sent", answer: `${program} has shown it.` }
          : { type: "refused", problem: `${program} failed (${code ?? "no answer"}). Is there a desktop session?` },
      ),
    );
  });
}
