import { useEffect, useRef } from "preact/hooks";

interface OlderButtonProps {
  readonly text: string;
  readonly state: "ready" | "loading" | "failed";
  readonly onWanted: () => void;
}

/** Stands at the end of a list and loads more when the reader comes near. After a failure it waits for a press. */
export function OlderButton({ text, state, onWanted }: OlderButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const element = button.current;
    if (element === null || state !== "ready") return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onWanted();
      },
      { rootMargin: "800px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [state, onWanted]);
  const words = { ready: text, loading: "Loading", failed: "They were not loaded. Try again" }[state];
  return (
    <button class="btn older" ref={button} type="button" disabled={state === "loading"} onClick={onWanted}>
      {words}
    </button>
  );
}
