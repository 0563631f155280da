/** A recorded run, as a line, that makes the same failing call `times` times. */
export function stuckRun(id: string, times = 3): string {
  const call = { name: "bash", args: { command: "make" }, result: "make: *** No rule to make target 'all'. Error 2", isError: true };
  const steps = Array.from({ length: times }, (_, turn) => ({ turn, text: "", usage: { costUsd: 0.1 }, calls: [call] }));
  return `${JSON.stringify({ id, source: "test", model: "m", steps })}\n`;
}

/** A recorded run, as a line, with nothing to find. */
export function cleanRun(id: string): string {
  return `${JSON.stringify({ id, steps: [{ turn: 0, text: "Done.", calls: [{ name: "ls", args: {}, result: "a", isError: false }] }] })}\n`;
}
