import { useEffect, useRef, useState } from "preact/hooks";
import { KeysHint } from "../../parts/keys-hint.tsx";
import { MenuSelect } from "../../parts/menu-select.tsx";
import { type FilterKey, filterTerm, guardianFilters, states, withFilterTerm } from "./run-filter.ts";

interface FilterBarProps {
  readonly filter: string;
  readonly problem: string | undefined;
  readonly projects: readonly string[];
  readonly models: readonly string[];
  readonly sources: readonly string[];
  readonly onChange: (filter: string) => void;
}

const WAIT_MS = 200;

/** The field of the filter, and the menus that write into it. */
export function FilterBar({ filter, problem, projects, models, sources, onChange }: FilterBarProps) {
  const [text, setText] = useState(filter);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []); // it would come back to this page
  useEffect(() => setText((typed) => (typed.trim() === filter ? typed : filter)), [filter]);
  const change = (value: string, waitMs = 0) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(value.trim()), waitMs);
  };
  const menu = (key: FilterKey, name: string, values: readonly string[], className = "") => (
    <Menu
      key={key}
      name={name}
      values={values}
      class={className}
      value={filterTerm(text, key) ?? ""}
      onChange={(value) => change(withFilterTerm(text, key, value === "" ? undefined : value))}
    />
  );
  return (
    <search class="filters">
      <input
        class="field"
        id="run-filter"
        type="search"
        aria-label="Filter runs"
        aria-describedby="filter-problem"
        placeholder="Filter by text, project:, model:, cost:>1"
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={(event) => change(event.currentTarget.value, WAIT_MS)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" && event.key !== "Enter") return;
          event.preventDefault();
          if (event.key === "Enter" || text === "")
            event.currentTarget.blur(); // keys act on the list again
          else change("");
        }}
      />
      {menu("state", "State", states)}
      {menu("project", "Project", projects)}
      {menu("model", "Model", models, "desk")}
      {menu("guardian", "Guardian", guardianFilters, "desk")}
      {sources.length > 1 && menu("source", "Agent", sources, "desk")}
      <PeriodMenu
        value={filterTerm(text, "since") ?? ""}
        onChange={(value) => change(withFilterTerm(text, "since", value === "" ? undefined : value))}
      />
      <span class="grow" />
      <span class="faint desk row" aria-hidden="true">
        <KeysHint keys="j k" /> move <KeysHint keys="Enter" /> open <KeysHint keys="/" /> filter
      </span>
      <p class="filter-problem" id="filter-problem" role="status">
        {problem}
      </p>
    </search>
  );
}

interface MenuProps {
  readonly name: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly class?: string;
  readonly onChange: (value: string) => void;
}

function Menu({ name, value, values, class: className = "", onChange }: MenuProps) {
  const isUnlisted = value !== "" && !values.includes(value);
  const options = [...(isUnlisted ? [value] : []), ...values].map((each) => ({ value: each, text: each }));
  return (
    <MenuSelect
      label={name}
      text={`${name}: ${value === "" ? "all" : value}`}
      class={className}
      value={value}
      options={[{ value: "", text: "all" }, ...options]}
      onChange={onChange}
    />
  );
}

const periods = [
  { value: "", text: "All time" },
  { value: "24h", text: "Last 24 hours" },
  { value: "7d", text: "Last 7 days" },
  { value: "30d", text: "Last 30 days" },
];

function PeriodMenu({ value, onChange }: Pick<MenuProps, "value" | "onChange">) {
  const known = periods.find((period) => period.value === value);
  const options = known === undefined ? [...periods, { value, text: `Since ${value}` }] : periods;
  return (
    <MenuSelect
      label="Period"
      text={known?.text ?? `Since ${value}`}
      class="desk"
      value={value}
      options={options}
      onChange={onChange}
    />
  );
}
