/** What the guardian wants the agent to do. A contract puts it into the form that the agent honours. */
export interface HookAnswer {
  /** Refuses the call; the message goes to the model in place of the result. */
  readonly deny?: string;
  /** Asks the user whether the call may be made, and says why. */
  readonly ask?: string;
  /** A message for the model. */
  readonly tell?: string;
  /** Ends what the agent is doing; the message is for the user. */
  readonly stop?: string;
  /** A message for the user only. */
  readonly notify?: string;
}

/** Which parts of an answer the agent honours at an event. */
export type Honours = Readonly<Record<Exclude<keyof HookAnswer, "notify">, boolean>> & {
  /** `with-deny`: only beside a refusal. */
  readonly notify: boolean | "with-deny";
};

/** What the hook process prints, and how it exits. */
export interface HookOutput {
  readonly stdout: string;
  readonly stderr?: string;
  readonly exitCode: number;
  /** The agent's program has to be interrupted, because nothing that it is answered ends its work. */
  readonly interrupt?: Interrupt;
}

/** A program without a screen, which is interrupted as by Ctrl+C. */
export interface Interrupt {
  readonly program: string;
}
