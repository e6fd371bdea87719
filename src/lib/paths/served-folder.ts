/** The files by which a folder is served as a local deployment, beside the articles that its bots name. */
export const servedFiles = {
  settings: "deployment.yaml",
  bots: { folder: "bots", ends: [".yaml"] },
  functions: { folder: "functions", ends: [".js", ".yaml"] },
} as const;

/** True for the name of a file of articles. */
export const isArticle = (name: string): boolean => /\.(?:md|jsonl)$/i.test(name);
