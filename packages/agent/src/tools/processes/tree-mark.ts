import { randomUUID } from "node:crypto";

/** Marks the processes of a command, so that they are found again wherever they go. */
export interface TreeMark {
  /** Stands in the environment of each process that has not cleared its environment. */
  readonly text: string;
  /**
   * The limit of file locks, which Linux hands down to every child, also to one with another session, parent and
   * environment. Linux has not used this limit for twenty years, so it is free to carry a number.
   */
  readonly lockLimit: number;
}

/** The environment variable with the marks: the command's own, after those of the agents that started this one. */
export const markVariable = "SHEEPDOG_CALL";

const rangeSize = 2 ** 46;

/** Creates a mark. An agent inside a command of another agent has a lower range: limits can only be lowered. */
export function createTreeMark(outerMarks: string | undefined = process.env[markVariable]): TreeMark {
  const text = randomUUID();
  const depth = outerMarks === undefined ? 0 : outerMarks.split(" ").length;
  const random = Number.parseInt(text.replaceAll("-", "").slice(0, 11), 16); // 44 bits
  return { text, lockLimit: Math.max(8 - depth, 1) * rangeSize + random };
}

/** The shell statements that set the limit. The outermost agent sets the hard limit, which inner ones cannot change. */
export function setLockLimit(
  { lockLimit }: TreeMark,
  outerMarks: string | undefined = process.env[markVariable],
): string {
  const kind = outerMarks === undefined ? "" : "-S ";
  return `ulimit ${kind}-x ${lockLimit} 2>/dev/null; `;
}
