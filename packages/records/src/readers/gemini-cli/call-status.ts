import type { CallResult } from "../step-list.ts";

/** Whether a call failed, by the status that the scheduler gave it and by its result. */
export function callStatus(status: unknown, result: unknown): Omit<CallResult, "result"> {
  const text = typeof result === "string" ? result.slice(0, 2_000) : "";
  switch (status) {
    case "success":
      return { isError: exitedWithError(result) };
    case "error":
      return { isError: true, ...failure(text) };
    case "cancelled":
      return /did not allow|denied|rejected/i.test(text)
        ? { isError: true, status: "denied" }
        : { isError: null, status: "interrupted" };
    default:
      return { isError: null, ...(status === undefined ? {} : { status: "interrupted" }) };
  }
}

function failure(text: string): Omit<CallResult, "result"> {
  if (/^Tool "[^"]*" not found/.test(text)) return { status: "unknown-tool" };
  if (/^(?:Error: )?(?:Invalid parameters|params[/ ].* must )/.test(text)) return { status: "invalid-arguments" };
  return /denied by (?:policy|user)/i.test(text) ? { status: "denied" } : {};
}

/** The shell tool succeeds whatever the command does, and writes its exit code behind the output. */
function exitedWithError(result: unknown): boolean {
  if (typeof result !== "string") return false;
  const code = /^Exit Code: (-?\d+)$/m.exec(result.slice(-2_000))?.[1];
  return code !== undefined && code !== "0";
}
