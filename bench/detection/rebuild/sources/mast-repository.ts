/** Two sources are in the repository of MAST. */
export const mastRepository = {
  repository: "multi-agent-systems-failure-taxonomy/MAST",
  commit: "77b76fe2d661e09056c70124ea6608e4f4269008",
  licence: "none stated",
} as const;
