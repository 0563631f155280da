import type { Guard } from "./guard.ts";
import type { Outbox } from "./outbox.ts";
import type { Instruction } from "./run.ts";

/** The guardian does what a person says, and everybody hears that it was said. */
export function heed(guard: Pick<Guard, "observe">, { emit }: Pick<Outbox, "emit">, instruction: Instruction): void {
  emit(instruction.type === "limit" ? { ...instruction, type: "LimitChanged" } : { ...instruction, type: "GuardianMuted" });
  guard.observe(instruction);
}
