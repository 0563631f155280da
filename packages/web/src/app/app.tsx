import { type ComponentType, lazy, Suspense } from "preact/compat";
import { PageBoundary } from "./page-boundary.tsx";
import { decodePart, location } from "./router.tsx";
import { Shell } from "./shell.tsx";

const FeedPage = lazy(() => import("../pages/feed/feed-page.tsx"));
const BudgetsPage = lazy(() => import("../pages/budgets/budgets-page.tsx"));
const FindingsPage = lazy(() => import("../pages/findings/findings-page.tsx"));
const SettingsPage = lazy(() => import("../pages/settings/settings-page.tsx"));
const RunPage = lazy(() => import("../pages/run/run-page.tsx"));
const RunsPage = lazy(() => import("../pages/runs/runs-page.tsx"));

/** The frame of every page, and the page for the address. */
export function App() {
  return (
    <Shell>
      <PageBoundary key={location.value.path}>
        <Suspense fallback={null}>
          <Page path={location.value.path} />
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

const pages: Readonly<Record<string, ComponentType>> = {
  feed: FeedPage,
  budgets: BudgetsPage,
  findings: FindingsPage,
  settings: SettingsPage,
};

function Page({ path }: { readonly path: string }) {
  const [, first = "", second = ""] = path.split("/");
  if (first === "runs" && second !== "") return <RunPage key={second} id={decodePart(second)} />;
  const Found = pages[first] ?? RunsPage;
  return <Found />;
}
