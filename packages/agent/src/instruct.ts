import type { Guard } from "./guard.ts";
import type { Outbox } from "./outbox.ts";
import type { Instruction } from "./run.ts";

/** The guardian does what a person says, and everybody hears that it was said. */
export function heed(guard: Pick<Guard, "observe">, outbox: Pick<Outbox, "emit">, instruction: Instruction): void {
  outbox.emit(instruction.type === "limit" ? { ...instruction, type: "LimitChanged" } : { ...instruction, type: "GuardianMuted" });
  guard.observe(instruction);
}
