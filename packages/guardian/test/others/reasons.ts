/** Why the guardian answers otherwise on purpose, where the reason is the same for many situations. */

export const hintsFirst =
  "The guardian hints at the third equal call, warns at the fourth, and refuses only after the fifth.";

export const hintIsNoForce = "Three equal calls with equal outcomes are worth a hint. A hint refuses nothing.";

export const differentCallsAreWork =
  "Different calls with different answers are work, however many there are. A user can set a limit.";

export const sameFailureElsewhere =
  "The same code fails for the same reason: another number in the message is no progress. Nothing is refused yet.";

export const repeatedText =
  "The same text for 400 characters is a repetition wherever it stands. The reply is cut off, and the run continues.";

export const cutsOffReply = "The reply is cut off and the run continues. The third such reply ends the run.";

export const onceATurn = "Calls of one reply are one decision: they were made before the first of them had failed.";
