import type { Approval } from "@sheepdog/agent";

/** What an approval says when the person refuses a call, perhaps with words. */
export function refusal(words = ""): Pick<Approval, "reason" | "words"> {
  return words === "" ? { reason: "the user said no" } : { reason: `the user said no: ${words}`, words };
}
