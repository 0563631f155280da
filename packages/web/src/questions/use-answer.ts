import { post } from "../api/client.ts";
import { reloadOverview } from "../app/overview.ts";
import type { RunCommand, Waiting } from "../contract/index.ts";
import { type CommandState, useCommand } from "../parts/use-command.ts";

/** Sends the answer to something that waits, and then loads what still waits. */
export function useAnswer(
  { runId }: Pick<Waiting, "runId">,
  onAnswered: (text: string) => void,
): { readonly sent: CommandState; readonly answer: (command: RunCommand) => void } {
  const sent = useCommand();
  const answer = async (command: RunCommand) => {
    const result = await sent.send(() => post("command", command, { params: { id: runId } }));
    if (result === undefined) return;
    if (result.isDone) onAnswered(result.text);
    reloadOverview();
  };
  return { sent, answer };
}
