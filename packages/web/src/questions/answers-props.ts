import type { RunCommand, Waiting } from "../contract/index.ts";
import type { CommandState } from "../parts/use-command.ts";

/** What the answers of a card are given: how to send one, and which keys act. */
export interface AnswersProps {
  readonly waiting: Waiting;
  readonly sent: CommandState;
  readonly isEnabled: boolean;
  /** Whether a press acts already. */
  readonly isArmed: boolean;
  readonly answer: (command: RunCommand) => void;
  /** Wraps the action of a key: it acts only on a card that is selected and can be seen. */
  readonly onKey: (action: () => void) => () => void;
  readonly isSelected: boolean;
  readonly isOnRunPage: boolean;
}
