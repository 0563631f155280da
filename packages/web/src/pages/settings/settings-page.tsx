import type { ComponentType } from "preact";
import { load } from "../../api/client.ts";
import { Link, location } from "../../app/router.tsx";
import { counted } from "../../format/amounts.ts";
import { useDocument } from "../../parts/use-document.ts";
import { useRowKeys } from "../../parts/use-row-keys.ts";
import { AuditTab } from "./audit-tab.tsx";
import { ConfigurationTab } from "./configuration-tab.tsx";
import { type DoctorDocument, DoctorTab } from "./doctor-tab.tsx";
import { MemoryTab } from "./memory-tab.tsx";

interface TabProps {
  readonly doctor: DoctorDocument;
}

interface Tab {
  readonly name: string;
  readonly text: string;
  /** What the tab shows, below the heading of the page. */
  readonly summary: string;
  readonly content: ComponentType<TabProps>;
}

const tabs: readonly [Tab, ...Tab[]] = [
  {
    name: "configuration",
    text: "Configuration",
    summary: "Every value with its origin. Later layers win: defaults, your file, the project's file, the environment.",
    content: ConfigurationTab,
  },
  {
    name: "doctor",
    text: "Doctor",
    summary: "What Sheepdog needs on this machine, and what mends it.",
    content: DoctorTab,
  },
  {
    name: "audit",
    text: "Audit",
    summary: "Decisions about calls: what was allowed, asked and denied, and why.",
    content: AuditTab,
  },
  {
    name: "memory",
    text: "Memory",
    summary: "Facts that runs saved, and lessons from calls that you corrected or that did harm.",
    content: MemoryTab,
  },
];

/** The page `/settings`: configuration, checks of the installation, decisions about calls, and memory. */
export default function SettingsPage() {
  const doctor = useDocument("doctor", (signal) => load("doctor", { signal }));
  useRowKeys("Settings");
  const wanted = new URLSearchParams(location.value.search).get("tab");
  const tab = tabs.find(({ name }) => name === wanted) ?? tabs[0];
  const Content = tab.content;
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <h1>Settings</h1>
          <p>{tab.summary}</p>
        </div>
        <nav class="seg" aria-label="Settings">
          {tabs.map(({ name, text }) => (
            <Link
              key={name}
              href={name === tabs[0].name ? "/settings" : `/settings?tab=${name}`}
              {...(name === tab.name ? { "aria-current": "page" as const } : {})}
            >
              {text}
              {name === "doctor" && <Attention doctor={doctor} />}
            </Link>
          ))}
        </nav>
      </div>
      <Content doctor={doctor} />
    </>
  );
}

/** How many checks of the doctor need a person. */
function Attention({ doctor: { value } }: TabProps) {
  const count = value?.checks.filter(({ status }) => status === "problem" || status === "warning").length ?? 0;
  if (count === 0) return null;
  return (
    <span class="count" title={`${counted(count, "check")} to look at`}>
      <span aria-hidden="true">{count}</span>
      <span class="vh">{counted(count, "check")} to look at</span>
    </span>
  );
}
