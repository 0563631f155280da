import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { timeText } from "../model/time-text.ts";

/** Whether the run is so short that its times need seconds. */
export const HasSeconds = createContext(false);

/** The clock of the page: the local time of an event; null if the run has no times. */
export function useRunClock(): (at: number) => string | null {
  const hasSeconds = useContext(HasSeconds);
  return (at) => timeText(at, hasSeconds);
}
