import type { Doctor } from "../../contract/index.ts";
import { counted } from "../../format/amounts.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import type { LoadedDocument } from "../../parts/use-document.ts";
import { readFix } from "./fix-command.ts";

export type DoctorDocument = LoadedDocument<Doctor>;
type Check = Doctor["checks"][number];
type Status = Check["status"];

const states = {
  problem: { icon: "halt", level: "halt", word: "Problem", order: 0 },
  warning: { icon: "warn", level: "warn", word: "Warning", order: 1 },
  ok: { icon: "recovered", level: "recovered", word: "In order", order: 2 },
  skipped: { icon: "chev", level: "quiet", word: "Skipped", order: 3 },
} as const satisfies Record<
  Status,
  { readonly icon: IconName; readonly level: string; readonly word: string; readonly order: number }
>;

/** The checks of the installation: what needs a person comes first. */
export function DoctorTab({ doctor }: { readonly doctor: DoctorDocument }) {
  return (
    <Loaded document={doctor} frame={<FramePanel lines={10} />}>
      {({ checks }) => (
        <section class="panel" aria-labelledby="checks">
          <div class="phead">
            <h2 id="checks">Checks</h2>
            <p class="grow" role="status">
              {doctor.isLoading ? "Checking." : summary(checks)}
            </p>
            <button type="button" class="btn small" disabled={doctor.isLoading} onClick={doctor.reload}>
              Check again
            </button>
          </div>
          <ul class="checks key-rows">
            {checks
              .toSorted((a, b) => states[a.status].order - states[b.status].order)
              .map((check) => (
                <CheckRow key={`${check.name} ${check.text}`} check={check} />
              ))}
          </ul>
        </section>
      )}
    </Loaded>
  );
}

function CheckRow({ check: { name, status, text, fix } }: { readonly check: Check }) {
  const { icon, level, word } = states[status];
  return (
    <li>
      <span class={`lvl ${level}`}>
        <Icon name={icon} />
        {word}
      </span>
      <b class="what">{name}</b>
      <div class="grow">
        <p>{text}</p>
        {fix !== null && <FixLine fix={fix} />}
      </div>
    </li>
  );
}

function FixLine({ fix }: { readonly fix: string }) {
  const { text, command } = readFix(fix);
  return (
    <p class="fix">
      {text !== "" && <span>{text}</span>}
      {command !== undefined && (
        <>
          <code class="command">{command}</code>
          <CopyButton class="btn quiet small" text={command} name="Copy the command" />
        </>
      )}
    </p>
  );
}

function summary(checks: readonly Check[]): string {
  const count = (status: Status) => checks.filter((check) => check.status === status).length;
  const problems = count("problem");
  const warnings = count("warning");
  if (problems + warnings === 0) return "everything is in order";
  const parts = [
    ...(problems > 0 ? [counted(problems, "problem")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
    `${count("ok")} in order`,
  ];
  return parts.join(", ");
}
