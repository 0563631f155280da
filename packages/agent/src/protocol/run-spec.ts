/**
 * What a run was started with. It is saved together with the prompt, before the first request, and never changes: a
 * process that resumes the run starts from it. The runtime saves it and does not read it.
 */
export interface RunSpec {
  readonly version: 1;
  /** Whether a user watched the run and could be asked. */
  readonly isAttended: boolean;
  /** The settings of the program that started the run, by name, without secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The names of settings that are left out: their values are secret, or too long. */
  readonly omitted?: readonly string[];
}
