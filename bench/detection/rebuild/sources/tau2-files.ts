/** A file of tau2-bench with labelled runs. */
export interface Tau2File {
  /** Its name without ".json". */
  readonly name: string;
  /** The id of its content, since some branches changed or removed the file later. */
  readonly blob: string;
  /** A ref whose history has it. */
  readonly ref: string;
}

export const tau2Files: readonly Tau2File[] = [
  ...filesOf("refs/heads/main", {
    "toolorchestra_airline_gpt-5_1trial": "dfd71123a2868b264444e33a088325dc91a6de28",
    "toolorchestra_retail_gpt-5_1trial": "09c941e54dc711c7cee082f210079de90bff0599",
  }),
  ...filesOf("refs/heads/feature/gym", {
    "ft:gpt-4.1-2025-04-14:sierra:tau2-full-sft:BzrYdMNm_airline_default_gpt-4.1_1trials":
      "6a82baa304daa65dd22c7e282cf5133784bb0373",
    "ft:gpt-4.1-2025-04-14:sierra:tau2-full-sft:BzrYdMNm_retail_default_gpt-4.1_1trials":
      "022b3ed1797b77d8c55da2c2e8f5e7193fdebe8d",
    "ft:gpt-4.1-2025-04-14:sierra:tau2-full-sft:BzrYdMNm_telecom_default_gpt-4.1_1trials":
      "71a5c4787e1d29656ffa97fcc4e9f3836f4979b1",
    "ft:gpt-4.1-2025-04-14:sierra:tau2-full-sft:BzrYdMNm_telecom_no-user_gpt-4.1_1trials":
      "6448b3c02e14c9a49041eb853d288d1b56b0df46",
    "gpt-4.1_airline_default_gpt-4.1_1trials": "83e6079607fae0cc610662f8a779f2df98c9a618",
    "gpt-4.1_telecom_no-user_gpt-4.1_1trials": "e93263f9b580fc4c91b36fa9742459a60c0f139a",
  }),
  ...filesOf("refs/pull/80/head", {
    "claude-sonnet-4-5_airline_default_gpt4.1_1trials": "45651a42e3f0f264c56fc4ea66df492d20dd83bd",
  }),
  ...filesOf("refs/pull/133/head", {
    "langchain_agent_airline_2025-11-26_00-37-06": "0620dda831909001fe4bd79dd3cb0bd4cb41a85f",
  }),
  ...filesOf("refs/pull/168/head", {
    airline: "b25ec8565ee4572042aa0f614044fb6697077198",
  }),
  ...filesOf("refs/pull/170/head", {
    e2e_telecom_adversarial: "8672bc5b2189a8b420edc1ae976ba76a32b9d527",
    e2e_telecom_baseline: "df982baae68fc89eddf976392ac6c85dba4e7706",
  }),
  ...filesOf("refs/pull/171/head", {
    ironshell_airline_gpt54_run1: "e77229c1fcb00b4447b3b9e3222c85b3324a2b75",
    ironshell_airline_opus46_run1: "d8bfdae119c4c8434ad3936a35cca84e63e888ed",
    ironshell_ironforge_grok3_wave2: "ba4e958039e1196ea383d1203afbe94918d8565b",
    ironshell_ironforge_o3_wave2: "ef7c192a1faa98d88932861977d2894145acbd40",
    ironshell_ironforge_v2_sonnet46: "8a809d09d9cea6bacb5ce0d69998724b01c5074d",
    ironshell_ironforge_v3_deepseek: "c063de053ef33a990162b2e3e98a9d72ba5740e2",
  }),
  ...filesOf("refs/pull/185/head", {
    adaptive_agent_airline_opus46_cascata: "e34cbd258d770c55b0cd1cd8d541e7705cbd3488",
    adaptive_agent_medical_triage_opus46_cascata: "2294ddca62bd80b25d987bfd2a8b659ace5f06d0",
  }),
  ...filesOf("refs/pull/448/head", {
    airline_run1: "d09a484020d9667ee90232299ddc10f8562e9dbf",
  }),
];

function filesOf(ref: string, blobs: Readonly<Record<string, string>>): readonly Tau2File[] {
  return Object.entries(blobs).map(([name, blob]) => ({ name, blob, ref }));
}
