/** A recorded run, as a line, that makes the same failing call `times` times. */
export function stuckRun(id: string, times = 3): string {
  const call = {
    name: "bash",
    args: { command: "make" },
    result: "make: *** No rule to make target 'all'. Error 2",
    isError: true,
  };
  const steps = Array.from({ length: times }, (_, turn) => ({
    turn,
    text: "",
    usage: { costUsd: 0.1 },
    calls: [call],
  }));
  return `${JSON.stringify({ id, source: "test", model: "m", steps })}\n`;
}

/** A recorded run, as a line, without findings. */
export function cleanRun(id: string): string {
  const call = { name: "ls", args: {}, result: "a", isError: false };
  return `${JSON.stringify({ id, steps: [{ turn: 0, text: "Done.", calls: [call] }] })}\n`;
}

/** A recorded run, as a line, whose steps have these texts and `calls` different calls each. */
export function talkingRun(id: string, texts: readonly string[], calls = 0): string {
  const call = (turn: number, place: number) => ({
    name: "read",
    args: { path: `${turn}/${place}` },
    result: `page ${turn} of chapter ${place}`,
    isError: false,
  });
  const steps = texts.map((text, turn) => ({
    turn,
    text,
    user: turn === 0,
    calls: Array.from({ length: calls }, (_, place) => call(turn, place)),
  }));
  return `${JSON.stringify({ id, steps })}\n`;
}
