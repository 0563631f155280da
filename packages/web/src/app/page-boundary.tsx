import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";

/** Shows what went wrong instead of a page that failed. The frame around it keeps working. */
export function PageBoundary({ children }: { readonly children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  const isMissingPart = error instanceof TypeError && /import|module/i.test(error.message);
  return (
    <div class="panel empty" role="alert">
      <h1>{isMissingPart ? "The server has other pages now." : "This page failed."}</h1>
      <p>{isMissingPart ? "It was updated, or does not answer. Load the page again." : String(error)}</p>
      <button class="btn" type="button" onClick={() => window.location.reload()}>
        Load the page again
      </button>
    </div>
  );
}
